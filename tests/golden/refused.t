# B02: what the kernel refuses with a bare EINVAL
> route add 198.51.100.0/24 encap seg6 mode inline segs fc00:2::1 dev v0
! 2
e srv6: H.Insert applies to IPv6 routes only
e   route add 198.51.100.0/24 encap seg6 mode inline segs fc00:2::1 dev v0
e             ^^^^^^^^^^^^^^^
e   an SRH can't be inserted into IPv4: use mode encap

> route add 198.51.100.0/24 encap seg6local action End dev v0
! 2
e srv6: End applies to IPv6 routes only
e   route add 198.51.100.0/24 encap seg6local action End dev v0
e             ^^^^^^^^^^^^^^^

> sid add fc00:1::1 End.X dev v0
! 2
e srv6: End.X needs nh6
e   sid add fc00:1::1 End.X dev v0
e                     ^^^^^
e   add nh6 ADDR6

> sid add fc00:1::1 End.T dev v0
! 2
e srv6: End.T needs table
e   sid add fc00:1::1 End.T dev v0
e                     ^^^^^
e   add table TABLE

> sid add fc00:1::1 End.DX2 dev v0
! 2
e srv6: End.DX2 needs oif
e   sid add fc00:1::1 End.DX2 dev v0
e                     ^^^^^^^
e   add oif DEV

> sid add fc00:1::1 End.DX4 dev v0
! 2
e srv6: End.DX4 needs nh4
e   sid add fc00:1::1 End.DX4 dev v0
e                     ^^^^^^^
e   add nh4 ADDR4

> sid add fc00:1::1 End.DX6 dev v0
! 2
e srv6: End.DX6 needs nh6
e   sid add fc00:1::1 End.DX6 dev v0
e                     ^^^^^^^
e   add nh6 ADDR6

> sid add fc00:1::1 End.DT4 dev v0
! 2
e srv6: End.DT4 needs vrftable
e   sid add fc00:1::1 End.DT4 dev v0
e                     ^^^^^^^
e   add vrftable TABLE

> sid add fc00:1::1 End.DT46 table 100 dev v0
! 2
e srv6: table: End.DT46 takes no table
e   sid add fc00:1::1 End.DT46 table 100 dev v0
e                              ^^^^^
e   for the table of the route, write it after the device: dev DEV table ...

> sid add fc00:1::1 End.B6 dev v0
! 2
e srv6: End.B6 needs segs
e   sid add fc00:1::1 End.B6 dev v0
e                     ^^^^^^
e   add segs ADDR6[,ADDR6]...

> sid add fc00:1::1 End.BPF dev v0
! 2
e srv6: End.BPF needs endpoint
e   sid add fc00:1::1 End.BPF dev v0
e                     ^^^^^^^
e   add endpoint { pinned PATH | id ID | object FILE [ section NAME ] } [ name NAME ]

> sid add fc00:1::1 End.X nh4 192.0.2.2 dev v0
! 2
e srv6: End.X takes no nh4
e   sid add fc00:1::1 End.X nh4 192.0.2.2 dev v0
e                           ^^^
e   leave nh4 out; End.X takes nh6, oif, count, flavors, lblen and nflen

> sid add fc00:1::1 End.BM dev v0
! 2
e srv6: no Linux kernel implements End.BM
e   sid add fc00:1::1 End.BM dev v0
e                     ^^^^^^

> sid add fc00:1::1 End.S dev v0
! 2
e srv6: no Linux kernel implements End.S
e   sid add fc00:1::1 End.S dev v0
e                     ^^^^^

> sid add fc00:1::1 End.AS dev v0
! 2
e srv6: no Linux kernel implements End.AS
e   sid add fc00:1::1 End.AS dev v0
e                     ^^^^^^

> sid add fc00:1::1 End.AM dev v0
! 2
e srv6: no Linux kernel implements End.AM
e   sid add fc00:1::1 End.AM dev v0
e                     ^^^^^^

# B09: End.DT6 takes one of table and vrftable
> sid add fc00:1::1 End.DT6 dev v0
! 2
e srv6: End.DT6 needs one of table or vrftable
e   sid add fc00:1::1 End.DT6 dev v0
e                     ^^^^^^^
e   add table TABLE

> sid add fc00:1::1 End.DT6 table 1 vrftable 2 dev v0
! 2
e srv6: End.DT6 can't have both table and vrftable
e   sid add fc00:1::1 End.DT6 table 1 vrftable 2 dev v0
e                                              ^
e   keep one of table and vrftable

# B05: too many segments
> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:1::1,fc00:2::1,fc00:3::1,fc00:4::1,fc00:5::1,fc00:6::1,fc00:7::1,fc00:8::1,fc00:9::1,fc00:a::1,fc00:b::1,fc00:c::1,fc00:d::1,fc00:e::1,fc00:f::1,fc00:10::1,fc00:11::1,fc00:12::1,fc00:13::1,fc00:14::1,fc00:15::1,fc00:16::1,fc00:17::1,fc00:18::1,fc00:19::1,fc00:1a::1,fc00:1b::1,fc00:1c::1,fc00:1d::1,fc00:1e::1,fc00:1f::1,fc00:20::1,fc00:21::1,fc00:22::1,fc00:23::1,fc00:24::1,fc00:25::1,fc00:26::1,fc00:27::1,fc00:28::1,fc00:29::1,fc00:2a::1,fc00:2b::1,fc00:2c::1,fc00:2d::1,fc00:2e::1,fc00:2f::1,fc00:30::1,fc00:31::1,fc00:32::1,fc00:33::1,fc00:34::1,fc00:35::1,fc00:36::1,fc00:37::1,fc00:38::1,fc00:39::1,fc00:3a::1,fc00:3b::1,fc00:3c::1,fc00:3d::1,fc00:3e::1,fc00:3f::1,fc00:40::1,fc00:41::1,fc00:42::1,fc00:43::1,fc00:44::1,fc00:45::1,fc00:46::1,fc00:47::1,fc00:48::1,fc00:49::1,fc00:4a::1,fc00:4b::1,fc00:4c::1,fc00:4d::1,fc00:4e::1,fc00:4f::1,fc00:50::1,fc00:51::1,fc00:52::1,fc00:53::1,fc00:54::1,fc00:55::1,fc00:56::1,fc00:57::1,fc00:58::1,fc00:59::1,fc00:5a::1,fc00:5b::1,fc00:5c::1,fc00:5d::1,fc00:5e::1,fc00:5f::1,fc00:60::1,fc00:61::1,fc00:62::1,fc00:63::1,fc00:64::1,fc00:65::1,fc00:66::1,fc00:67::1,fc00:68::1,fc00:69::1,fc00:6a::1,fc00:6b::1,fc00:6c::1,fc00:6d::1,fc00:6e::1,fc00:6f::1,fc00:70::1,fc00:71::1,fc00:72::1,fc00:73::1,fc00:74::1,fc00:75::1,fc00:76::1,fc00:77::1,fc00:78::1,fc00:79::1,fc00:7a::1,fc00:7b::1,fc00:7c::1,fc00:7d::1,fc00:7e::1,fc00:7f::1,fc00:80::1 dev v0
! 2
e srv6: 128 segments do not fit into an SRH: H.Encaps has room for 127
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:1::1,fc00:2::1,fc00:3::1,fc00:4::1,fc00:5::1,fc00:6:...
e                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode inline segs fc00:1::1,fc00:2::1,fc00:3::1,fc00:4::1,fc00:5::1,fc00:6::1,fc00:7::1,fc00:8::1,fc00:9::1,fc00:a::1,fc00:b::1,fc00:c::1,fc00:d::1,fc00:e::1,fc00:f::1,fc00:10::1,fc00:11::1,fc00:12::1,fc00:13::1,fc00:14::1,fc00:15::1,fc00:16::1,fc00:17::1,fc00:18::1,fc00:19::1,fc00:1a::1,fc00:1b::1,fc00:1c::1,fc00:1d::1,fc00:1e::1,fc00:1f::1,fc00:20::1,fc00:21::1,fc00:22::1,fc00:23::1,fc00:24::1,fc00:25::1,fc00:26::1,fc00:27::1,fc00:28::1,fc00:29::1,fc00:2a::1,fc00:2b::1,fc00:2c::1,fc00:2d::1,fc00:2e::1,fc00:2f::1,fc00:30::1,fc00:31::1,fc00:32::1,fc00:33::1,fc00:34::1,fc00:35::1,fc00:36::1,fc00:37::1,fc00:38::1,fc00:39::1,fc00:3a::1,fc00:3b::1,fc00:3c::1,fc00:3d::1,fc00:3e::1,fc00:3f::1,fc00:40::1,fc00:41::1,fc00:42::1,fc00:43::1,fc00:44::1,fc00:45::1,fc00:46::1,fc00:47::1,fc00:48::1,fc00:49::1,fc00:4a::1,fc00:4b::1,fc00:4c::1,fc00:4d::1,fc00:4e::1,fc00:4f::1,fc00:50::1,fc00:51::1,fc00:52::1,fc00:53::1,fc00:54::1,fc00:55::1,fc00:56::1,fc00:57::1,fc00:58::1,fc00:59::1,fc00:5a::1,fc00:5b::1,fc00:5c::1,fc00:5d::1,fc00:5e::1,fc00:5f::1,fc00:60::1,fc00:61::1,fc00:62::1,fc00:63::1,fc00:64::1,fc00:65::1,fc00:66::1,fc00:67::1,fc00:68::1,fc00:69::1,fc00:6a::1,fc00:6b::1,fc00:6c::1,fc00:6d::1,fc00:6e::1,fc00:6f::1,fc00:70::1,fc00:71::1,fc00:72::1,fc00:73::1,fc00:74::1,fc00:75::1,fc00:76::1,fc00:77::1,fc00:78::1,fc00:79::1,fc00:7a::1,fc00:7b::1,fc00:7c::1,fc00:7d::1,fc00:7e::1,fc00:7f::1 dev v0
! 2
e srv6: 127 segments do not fit into an SRH: H.Insert has room for 126
e   route add 2001:db8:a::/64 encap seg6 mode inline segs fc00:1::1,fc00:2::1,fc00:3::1,fc00:4::1,fc00:5::1,fc00:6...
e                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:1::1,fc00:2::1,fc00:3::1,fc00:4::1,fc00:5::1,fc00:6::1,fc00:7::1,fc00:8::1,fc00:9::1,fc00:a::1,fc00:b::1,fc00:c::1,fc00:d::1,fc00:e::1,fc00:f::1,fc00:10::1,fc00:11::1,fc00:12::1,fc00:13::1,fc00:14::1,fc00:15::1,fc00:16::1,fc00:17::1,fc00:18::1,fc00:19::1,fc00:1a::1,fc00:1b::1,fc00:1c::1,fc00:1d::1,fc00:1e::1,fc00:1f::1,fc00:20::1,fc00:21::1,fc00:22::1,fc00:23::1,fc00:24::1,fc00:25::1,fc00:26::1,fc00:27::1,fc00:28::1,fc00:29::1,fc00:2a::1,fc00:2b::1,fc00:2c::1,fc00:2d::1,fc00:2e::1,fc00:2f::1,fc00:30::1,fc00:31::1,fc00:32::1,fc00:33::1,fc00:34::1,fc00:35::1,fc00:36::1,fc00:37::1,fc00:38::1,fc00:39::1,fc00:3a::1,fc00:3b::1,fc00:3c::1,fc00:3d::1,fc00:3e::1,fc00:3f::1,fc00:40::1,fc00:41::1,fc00:42::1,fc00:43::1,fc00:44::1,fc00:45::1,fc00:46::1,fc00:47::1,fc00:48::1,fc00:49::1,fc00:4a::1,fc00:4b::1,fc00:4c::1,fc00:4d::1,fc00:4e::1,fc00:4f::1,fc00:50::1,fc00:51::1,fc00:52::1,fc00:53::1,fc00:54::1,fc00:55::1,fc00:56::1,fc00:57::1,fc00:58::1,fc00:59::1,fc00:5a::1,fc00:5b::1,fc00:5c::1,fc00:5d::1,fc00:5e::1,fc00:5f::1,fc00:60::1,fc00:61::1,fc00:62::1,fc00:63::1,fc00:64::1,fc00:65::1,fc00:66::1,fc00:67::1,fc00:68::1,fc00:69::1,fc00:6a::1,fc00:6b::1,fc00:6c::1,fc00:6d::1,fc00:6e::1,fc00:6f::1,fc00:70::1,fc00:71::1,fc00:72::1,fc00:73::1,fc00:74::1,fc00:75::1,fc00:76::1,fc00:77::1,fc00:78::1,fc00:79::1,fc00:7a::1,fc00:7b::1,fc00:7c::1,fc00:7d::1,fc00:7e::1 hmac 1 dev v0
! 2
e srv6: 126 segments do not fit into an SRH: H.Encaps has room for 125 with an HMAC
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:1::1,fc00:2::1,fc00:3::1,fc00:4::1,fc00:5::1,fc00:6:...
e                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

# B06: segments that lead nowhere
> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1,,fc00:3::1 dev v0
! 2
e srv6: segs: segment 2 is empty: an IPv6 address is expected
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1,,fc00:3::1 dev v0
e                                                                  ^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1, dev v0
! 2
e srv6: segs: segment 2 is empty: an IPv6 address is expected
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1, dev v0
e                                                                 ^

> route add 2001:db8:a::/64 encap seg6 mode encap segs "" dev v0
! 2
e srv6: segs: segment 1 is empty: an IPv6 address is expected
e   route add 2001:db8:a::/64 encap seg6 mode encap segs  dev v0
e                                                        ^

> route add 2001:db8:a::/64 encap seg6 mode encap segs :: dev v0
! 2
e srv6: segment 1 is the unspecified address: ::
e   route add 2001:db8:a::/64 encap seg6 mode encap segs :: dev v0
e                                                        ^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1,:: dev v0
! 2
e srv6: segment 2 is the unspecified address: ::
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1,:: dev v0
e                                                        ^^^^^^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs default dev v0
! 2
e srv6: segs: an IPv6 address is expected, not 'default'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs default dev v0
e                                                        ^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs ff02::1 dev v0
! 2
e srv6: segment 1 is a multicast address: ff02::1
e   route add 2001:db8:a::/64 encap seg6 mode encap segs ff02::1 dev v0
e                                                        ^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs ::1 dev v0
! 2
e srv6: segment 1 is the loopback address: ::1
e   route add 2001:db8:a::/64 encap seg6 mode encap segs ::1 dev v0
e                                                        ^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs ::ffff:192.0.2.1 dev v0
! 2
e srv6: segment 1 is an IPv4-mapped address: ::ffff:192.0.2.1
e   route add 2001:db8:a::/64 encap seg6 mode encap segs ::ffff:192.0.2.1 dev v0
e                                                        ^^^^^^^^^^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:zz::1 dev v0
! 2
e srv6: segs: an IPv6 address is expected, not 'fc00:zz::1'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:zz::1 dev v0
e                                                        ^^^^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs 192.0.2.1 dev v0
! 2
e srv6: segs: an IPv6 address is expected, not '192.0.2.1'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs 192.0.2.1 dev v0
e                                                        ^^^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1,fc00:2::1/64 dev v0
! 2
e srv6: segs: an IPv6 address is expected, not 'fc00:2::1/64'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1,fc00:2::1/64 dev v0
e                                                                  ^^^^^^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap dev v0
! 2
e srv6: H.Encaps needs segs
e   route add 2001:db8:a::/64 encap seg6 mode encap dev v0
e                                             ^^^^^
e   add segs ADDR6[,ADDR6]...

> route add 2001:db8:a::/64 encap seg6 segs dev v0
! 2
e srv6: segs: an IPv6 address is expected, not 'dev'
e   route add 2001:db8:a::/64 encap seg6 segs dev v0
e                                             ^^^

# tunsrc, lookup, hmac
> route add 2001:db8:a::/64 encap seg6 mode inline tunsrc 2001:db8::1 segs fc00:2::1 dev v0
! 2
e srv6: H.Insert takes no tunsrc
e   route add 2001:db8:a::/64 encap seg6 mode inline tunsrc 2001:db8::1 segs fc00:2::1 dev v0
e                                                    ^^^^^^
e   leave tunsrc out; H.Insert takes segs, lookup, hmac, tag, srh_flags and tlvs

> route add 2001:db8:a::/64 encap seg6 mode encap tunsrc :: segs fc00:2::1 dev v0
! 2
e srv6: tunsrc :: is the unspecified address, which can't be the source of packets that are forwarded
e   route add 2001:db8:a::/64 encap seg6 mode encap tunsrc :: segs fc00:2::1 dev v0
e                                                          ^^

> route add 2001:db8:a::/64 encap seg6 mode encap tunsrc ::1 segs fc00:2::1 dev v0
! 2
e srv6: tunsrc ::1 is the loopback address, which can't be the source of packets that are forwarded
e   route add 2001:db8:a::/64 encap seg6 mode encap tunsrc ::1 segs fc00:2::1 dev v0
e                                                          ^^^

> route add 2001:db8:a::/64 encap seg6 mode encap tunsrc ff02::1 segs fc00:2::1 dev v0
! 2
e srv6: tunsrc ff02::1 is a multicast address, which can't be the source of packets that are forwarded
e   route add 2001:db8:a::/64 encap seg6 mode encap tunsrc ff02::1 segs fc00:2::1 dev v0
e                                                          ^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap tunsrc 192.0.2.1 segs fc00:2::1 dev v0
! 2
e srv6: tunsrc: an IPv6 address is expected, not '192.0.2.1'
e   route add 2001:db8:a::/64 encap seg6 mode encap tunsrc 192.0.2.1 segs fc00:2::1 dev v0
e                                                          ^^^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 lookup 0 dev v0
! 2
e srv6: lookup: table 0 is none
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 lookup 0 dev v0
e                                                                         ^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 lookup nowhere dev v0
! 2
e srv6: lookup: a routing table's number or name is expected, not 'nowhere'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 lookup nowhere dev v0
e                                                                         ^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 hmac 0 dev v0
! 2
e srv6: hmac: 0 is out of range, it is from 1 to 4294967295
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 hmac 0 dev v0
e                                                                       ^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 hmac zz dev v0
! 2
e srv6: hmac: a number is expected, not 'zz'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 hmac zz dev v0
e                                                                       ^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 hmac 4294967296 dev v0
! 2
e srv6: hmac: 4294967296 is out of range, it is from 1 to 4294967295
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 hmac 4294967296 dev v0
e                                                                       ^^^^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 tag 65536 dev v0
! 2
e srv6: tag: 65536 is out of range, it is from 0 to 65535
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 tag 65536 dev v0
e                                                                      ^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 srh_flags 0x100 dev v0
! 2
e srv6: srh_flags: a number from 0x00 to 0xff is expected, not '0x100'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 srh_flags 0x100 dev v0
e                                                                            ^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 tlvs 0406 dev v0
! 2
e srv6: tlvs must be whole TLVs (type, length, value) that fill a multiple of 8 bytes
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 tlvs 0406 dev v0
e                                                                       ^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 tlvs 040 dev v0
! 2
e srv6: tlvs: bytes in hexadecimal, two digits each, are expected, not '040'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 tlvs 040 dev v0
e                                                                       ^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 tlvs 0400000000000000ff dev v0
! 2
e srv6: tlvs must be whole TLVs (type, length, value) that fill a multiple of 8 bytes
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 tlvs 0400000000000000ff dev v0
e                                                                       ^^^^^^^^^^^^^^^^^^

# B18: flavors and lengths
> sid add fc00:1::1 End flavors usp dev v0
! 2
e srv6: End has no flavor usp in Linux
e   sid add fc00:1::1 End flavors usp dev v0
e                                 ^^^

> sid add fc00:1::1 End flavors usd dev v0
! 2
e srv6: End has no flavor usd in Linux
e   sid add fc00:1::1 End flavors usd dev v0
e                                 ^^^

> sid add fc00:1::1 End.X nh6 fc00::9 flavors psp dev v0
! 2
e srv6: End.X has no flavor psp in Linux
e   sid add fc00:1::1 End.X nh6 fc00::9 flavors psp dev v0
e                                               ^^^

> sid add fc00:1::1 End.T table 1 flavors psp dev v0
! 2
e srv6: End.T takes no flavors
e   sid add fc00:1::1 End.T table 1 flavors psp dev v0
e                                   ^^^^^^^
e   leave flavors out; End.T takes table and count

> sid add fc00:1::1 End.DT6 table 1 flavors next-csid dev v0
! 2
e srv6: End.DT6 takes no flavors
e   sid add fc00:1::1 End.DT6 table 1 flavors next-csid dev v0
e                                     ^^^^^^^
e   leave flavors out; End.DT6 takes table, vrftable and count

> sid add fc00:1::1 End flavors psp lblen 32 dev v0
! 2
e srv6: lblen goes with the flavor next-csid alone
e   sid add fc00:1::1 End flavors psp lblen 32 dev v0
e                                           ^^
e   add flavors next-csid

> sid add fc00:1::1 End lblen 32 nflen 16 dev v0
! 2
e srv6: lblen goes with the flavor next-csid alone
e   sid add fc00:1::1 End lblen 32 nflen 16 dev v0
e                               ^^
e   add flavors next-csid

> sid add fc00:1::1 End flavors next-csid lblen 33 dev v0
! 2
e srv6: lblen must be a multiple of 8, not 33
e   sid add fc00:1::1 End flavors next-csid lblen 33 dev v0
e                                                 ^^

> sid add fc00:1::1 End flavors next-csid lblen 0 dev v0
! 2
e srv6: lblen: 0 is out of range, it is from 8 to 120
e   sid add fc00:1::1 End flavors next-csid lblen 0 dev v0
e                                                 ^

> sid add fc00:1::1 End flavors next-csid lblen 121 dev v0
! 2
e srv6: lblen: 121 is out of range, it is from 8 to 120
e   sid add fc00:1::1 End flavors next-csid lblen 121 dev v0
e                                                 ^^^

> sid add fc00:1::1 End flavors next-csid lblen 120 nflen 16 dev v0
! 2
e srv6: lblen and nflen must not exceed 128 bits together, not 120 and 16
e   sid add fc00:1::1 End flavors next-csid lblen 120 nflen 16 dev v0
e                                                 ^^^

> sid add fc00:1::1 End flavors psp,psp dev v0
! 2
e srv6: flavors: 'psp' is there twice
e   sid add fc00:1::1 End flavors psp,psp dev v0
e                                     ^^^

> sid add fc00:1::1 End flavors nonsense dev v0
! 2
e srv6: flavors: 'nonsense' is none of them; psp, usp, usd, next-csid is expected
e   sid add fc00:1::1 End flavors nonsense dev v0
e                                 ^^^^^^^^

> sid add fc00:1::1 End flavors dev v0
! 2
e srv6: flavors: 'dev' is none of them; psp, usp, usd, next-csid is expected
e   sid add fc00:1::1 End flavors dev v0
e                                 ^^^

# what an action would drop
> sid add fc00:1::1 End nh6 fc00::9 dev v0
! 2
e srv6: End takes no nh6
e   sid add fc00:1::1 End nh6 fc00::9 dev v0
e                         ^^^
e   leave nh6 out; End takes count, flavors, lblen and nflen

> sid add fc00:1::1 End table 5 dev v0
! 2
e srv6: table: End takes no table
e   sid add fc00:1::1 End table 5 dev v0
e                         ^^^^^
e   for the table of the route, write it after the device: dev DEV table ...

> sid add fc00:1::1 End.T table 1 nh6 fc00::9 dev v0
! 2
e srv6: End.T takes no nh6
e   sid add fc00:1::1 End.T table 1 nh6 fc00::9 dev v0
e                                   ^^^
e   leave nh6 out; End.T takes table and count

> sid add fc00:1::1 End.DX6 nh6 fc00::9 oif v1 dev v0
! 2
e srv6: End.DX6 takes no oif
e   sid add fc00:1::1 End.DX6 nh6 fc00::9 oif v1 dev v0
e                                         ^^^
e   leave oif out; End.DX6 takes nh6 and count

> sid add fc00:1::1 End.DX2 oif v9 dev v0
! 2
e srv6: oif: there is no device 'v9'
e   sid add fc00:1::1 End.DX2 oif v9 dev v0
e                                 ^^

> sid add fc00:1::1 End.DT4 vrftable 1 table 2 dev v0
! 2
e srv6: table: End.DT4 takes no table
e   sid add fc00:1::1 End.DT4 vrftable 1 table 2 dev v0
e                                        ^^^^^
e   for the table of the route, write it after the device: dev DEV table ...

> sid add fc00:1::1 End iif v0 dev v0
! 2
e srv6: End takes no iif
e   sid add fc00:1::1 End iif v0 dev v0
e                         ^^^
e   leave iif out; End takes count, flavors, lblen and nflen

# words
> rout add
! 2
e srv6: rout: no such object; did you mean 'route'?
e   rout add
e   ^^^^
e   srv6 help lists them

> route ad 2001:db8::/64
! 2
e srv6: ad: no such command; did you mean 'add'?
e   route ad 2001:db8::/64
e         ^^
e   srv6 help route lists them

> route add
! 2
e srv6: route add: more words are expected
e   route add
e             ^
e   usage: srv6 route add [TYPE] PREFIX [encap ENCAP] [via ADDR] [dev DEV] [table TABLE] ...

> route add 2001:db8:a::/64
! 2
e srv6: the route leads nowhere: it has neither dev nor via
e   add dev DEV, via ADDR or nhid ID

> route add nonsense encap seg6 mode encap segs fc00:2::1 dev v0
! 2
e srv6: a prefix is expected, not 'nonsense'
e   route add nonsense encap seg6 mode encap segs fc00:2::1 dev v0
e             ^^^^^^^^
e   a prefix is as 2001:db8::/32, 192.0.2.0/24 or default

> route add 2001:db8:a::/64 encap seg7 mode encap segs fc00:2::1 dev v0
! 2
e srv6: seg7: no such encapsulation; did you mean 'seg6'?
e   route add 2001:db8:a::/64 encap seg7 mode encap segs fc00:2::1 dev v0
e                                   ^^^^

> route add 2001:db8:a::/64 encap seg6 mode encapp segs fc00:2::1 dev v0
! 2
e srv6: encapp: no such mode; did you mean 'encap'?
e   route add 2001:db8:a::/64 encap seg6 mode encapp segs fc00:2::1 dev v0
e                                             ^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap seg fc00:2::1 dev v0
! 2
e srv6: seg: no such word; did you mean 'segs'?
e   route add 2001:db8:a::/64 encap seg6 mode encap seg fc00:2::1 dev v0
e                                                   ^^^

> route add 2001:db8:a::/64 encap seg6 mode encap mode encap segs fc00:2::1 dev v0
! 2
e srv6: encap: a behavior was given already
e   route add 2001:db8:a::/64 encap seg6 mode encap mode encap segs fc00:2::1 dev v0
e                                                        ^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 segs fc00:3::1 dev v0
! 2
e srv6: segs: it is there twice
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 segs fc00:3::1 dev v0
e                                                                  ^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev v9
! 2
e srv6: dev: there is no device 'v9'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev v9
e                                                                      ^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev
! 2
e srv6: dev: DEV must follow
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev
e                                                                      ^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev v0 metricc 5
! 2
e srv6: metricc: no such word; did you mean 'metric'?
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev v0 metricc 5
e                                                                         ^^^^^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev v0 metric x
! 2
e srv6: metric: a number is expected, not 'x'
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev v0 metric x
e                                                                                ^

> route add 2001:db8:a::/64 encap seg6local action End.Y dev v0
! 2
e srv6: End.Y: no such action; did you mean 'End.X'?
e   route add 2001:db8:a::/64 encap seg6local action End.Y dev v0
e                                                    ^^^^^

> route add 2001:db8:a::/64 encap seg6local action end dev v0
! 2
e srv6: end: no such action; did you mean 'End'?
e   route add 2001:db8:a::/64 encap seg6local action end dev v0
e                                                    ^^^

> sid add fc00:1::1 encap dev v0
! 2
e srv6: dev: no such encapsulation
e   sid add fc00:1::1 encap dev v0
e                           ^^^

> route add 2001:db8:a::/129 encap seg6 mode encap segs fc00:2::1 dev v0
! 2
e srv6: a prefix is expected, not '2001:db8:a::/129'
e   route add 2001:db8:a::/129 encap seg6 mode encap segs fc00:2::1 dev v0
e             ^^^^^^^^^^^^^^^^
e   a prefix is as 2001:db8::/32, 192.0.2.0/24 or default

> route add 198.51.100.0/33 encap seg6 mode encap segs fc00:2::1 dev v0
! 2
e srv6: a prefix is expected, not '198.51.100.0/33'
e   route add 198.51.100.0/33 encap seg6 mode encap segs fc00:2::1 dev v0
e             ^^^^^^^^^^^^^^^
e   a prefix is as 2001:db8::/32, 192.0.2.0/24 or default

> route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 via 192.0.2.999 dev v0
! 2
e srv6: via: an address is expected, not '192.0.2.999'
e   route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 via 192.0.2.999 dev v0
e                                                                      ^^^^^^^^^^^

> nexthop add encap seg6 mode encap segs fc00:2::1 dev v0
! 2
e srv6: a nexthop object needs its number: id ID
e   nexthop add encap seg6 mode encap segs fc00:2::1 dev v0
e                                                           ^

> nexthop add id 0 encap seg6 mode encap segs fc00:2::1 dev v0
! 2
e srv6: id: 0 is out of range, it is from 1 to 4294967295
e   nexthop add id 0 encap seg6 mode encap segs fc00:2::1 dev v0
e                  ^

> --nonsense
! 2
e srv6: nonsense: no such object
e   --nonsense
e   ^^^^^^^^^^
e   srv6 help lists them

> --mobile nonsense route show
! 2
e srv6: --mobile: seg6mobile or mobile-v2 is expected, not 'nonsense'

> decode 00
! 2
e srv6: 1 bytes are left, and a message has at least 16

> decode zz
! 2
e srv6: bytes in hexadecimal are expected, not 'zz'

> decode 48000000020000030000000000000000a1ffffff5800000018000506000000000000000024000100556e737570706f7274656420466c61766f72206f7065726174696f6e28732900
! 2
e srv6: a message of type 2 is not decoded: routes (24, 25) and nexthop objects (104, 105) are

# B03, B11: prefixes and hops
> route add 198.51.100.5/24 encap seg6 mode encap segs fc00:2::1 dev v0
! 2
e srv6: 198.51.100.5/24 has bits set behind its prefix length
e   route add 198.51.100.5/24 encap seg6 mode encap segs fc00:2::1 dev v0
e             ^^^^^^^^^^^^^^^
e   write 198.51.100.0/24 for the prefix, or leave the length out for the address alone

> route add 2001:db8:a::5/64 encap seg6 mode encap segs fc00:2::1 dev v0
! 2
e srv6: 2001:db8:a::5/64 has bits set behind its prefix length
e   route add 2001:db8:a::5/64 encap seg6 mode encap segs fc00:2::1 dev v0
e             ^^^^^^^^^^^^^^^^
e   write 2001:db8:a::/64 for the prefix, or leave the length out for the address alone

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 nexthop dev v0 nexthop dev v1
! 2
e srv6: an encapsulation before the first nexthop belongs to no hop
e   route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 nexthop dev v0 nexthop dev v1
e                                             ^^^^^
e   give each nexthop its own: nexthop encap ... via ADDR dev DEV nexthop ...

> route add 2001:db8:a::/64 nexthop encap seg6 mode encap segs fc00:2::1 dev v0 nexthop encap seg6 mode encap segs fc00:3::1 dev v1
! 2
e srv6: each hop of an IPv6 route with several needs via
e   add via ADDR, or append the hops one after the other

> route add 2001:db8:a::/64 nexthop encap seg6 mode encap segs fc00:2::1 via 2001:db8::2 dev v0 weight 257
! 2
e srv6: weight: 257 is out of range, it is from 1 to 256
e   ...ode encap segs fc00:2::1 via 2001:db8::2 dev v0 weight 257
e                                                             ^^^

> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1
! 2
e srv6: the hop has neither dev nor via
e   add dev DEV

> route add 2001:db8:a::/64 via fc00::1 encap seg6 mode encap segs fc00:2::1 dev v0 nhid 5
! 2
e srv6: nhid excludes hops: the nexthop object says where to go
e   route add 2001:db8:a::/64 via fc00::1 encap seg6 mode encap segs fc00:2::1 dev v0 nhid 5
e                                                                                          ^
e   give either nhid, or via, dev and the encapsulation

> route add blackhole 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1
! 2
e srv6: a route that drops packets can't encapsulate them
e   route add blackhole 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1
e             ^^^^^^^^^

# B19, B20: the tunnel source and keys
> tunsrc set 192.0.2.1
! 2
e srv6: 192.0.2.1: the tunnel source is expected, an IPv6 address
e   tunsrc set 192.0.2.1
e              ^^^^^^^^^

> tunsrc set ff02::1
! 2
e srv6: ff02::1 is a multicast address, which can't be the source of packets that are forwarded
e   tunsrc set ff02::1
e              ^^^^^^^

> tunsrc set ::1
! 2
e srv6: ::1 is the loopback address, which can't be the source of packets that are forwarded
e   tunsrc set ::1
e              ^^^

> tunsrc set fe80::1
! 2
e srv6: fe80::1 is a link-local address, which can't be the source of packets that are forwarded
e   tunsrc set fe80::1
e              ^^^^^^^

> tunsrc set ::ffff:192.0.2.1
! 2
e srv6: ::ffff:192.0.2.1 is an IPv4-mapped address, which can't be the source of packets that are forwarded
e   tunsrc set ::ffff:192.0.2.1
e              ^^^^^^^^^^^^^^^^

> tunsrc set
! 2
e srv6: tunsrc set: more words are expected
e   tunsrc set
e              ^
e   usage: srv6 tunsrc set ADDR6

> hmac set 0 sha1
! 2
e srv6: 0: a key id is from 1 to 4294967295
e   hmac set 0 sha1
e            ^

> hmac set 1 md5
! 2
e srv6: md5: sha1 or sha256 is expected
e   hmac set 1 md5
e              ^^^

> hmac set
! 2
e srv6: hmac set: more words are expected
e   hmac set
e            ^
e   usage: srv6 hmac set KEYID { sha1 | sha256 } [file FILE | fd N]

> hmac set 1 sha1 secret
! 2
e srv6: secret: never on the command line, where everyone can read it
e   hmac set 1 sha1 secret
e                   ^^^^^^
e   write it to a file, chmod 600 it, and add: file FILE; or leave it out to be asked

> hmac del
! 2
e srv6: hmac del: more words are expected
e   hmac del
e            ^
e   usage: srv6 hmac del KEYID

> hmac del 0
! 2
e srv6: 0: a key id is from 1 to 4294967295
e   hmac del 0
e            ^

# flush wants to be told what
> route flush
! 2
e srv6: route flush: a condition is missing
e   route flush
e               ^
e   name a table, a prefix, a device, ...; or, for all of them: srv6 route flush all

> sid flush
! 2
e srv6: sid flush: a condition is missing
e   sid flush
e             ^
e   name a table, a prefix, a device, ...; or, for all of them: srv6 sid flush all

# a word of routes alone, which is one of a mobile encapsulation too
> nexthop add id 5 src 2001:db8::2 dev v0
! 2
e srv6: src: a nexthop object has no such word, a route has
e   nexthop add id 5 src 2001:db8::2 dev v0
e                    ^^^
e   give it to the routes that use the object: srv6 route add PREFIX nhid ID src ...

> nexthop add id 5 segs fc00::1 dev v0 mtu 1300
! 2
e srv6: mtu: a nexthop object has no such word, a route has
e   nexthop add id 5 segs fc00::1 dev v0 mtu 1300
e                                        ^^^
e   give it to the routes that use the object: srv6 route add PREFIX nhid ID mtu ...

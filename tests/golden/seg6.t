> route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev v0
x 64000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000a0000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:a::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# path order on the line, reversed on the wire
> route add 2001:db8:b::/64 encap seg6 mode encap segs fc00:2::1,fc00:3::1,fc00:4::1 dev v0
x 84000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000b0000 00000000 00000000
x 44001680 40000100 01000000 00060402 02000000 fc000004 00000000 00000000 00000001 fc000003 00000000 00000000 00000001 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:b::/64 encap seg6 mode encap segs fc00:2::1,fc00:3::1,fc00:4::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:b::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1", "fc00:3::1", "fc00:4::1"]}, "dev": "v0"}]}

# IPv4: scope link
> route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 dev v0
x 58000000 18000506 00000000 00000000
x 02180000 fe03fd01 00000000
x 08000100 c6336400
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 dev v0
d route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "198.51.100.0/24", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# inline: the slot for the original destination is added
> route add 2001:db8:c::/64 encap seg6 mode inline segs fc00:2::1,fc00:3::1 dev v0
x 84000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000c0000 00000000 00000000
x 44001680 40000100 00000000 00060402 02000000 00000000 00000000 00000000 00000000 fc000003 00000000 00000000 00000001 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:c::/64 encap seg6 mode inline segs fc00:2::1,fc00:3::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:c::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Insert", "mode": "inline", "segs": ["fc00:2::1", "fc00:3::1"]}, "dev": "v0"}]}

> route add 2001:db8:c1::/64 encap seg6 mode inline segs fc00:2::1 dev v0
x 74000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00c10000 00000000 00000000
x 34001680 30000100 00000000 00040401 01000000 00000000 00000000 00000000 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:c1::/64 encap seg6 mode inline segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:c1::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Insert", "mode": "inline", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:d::/64 encap seg6 mode l2encap segs fc00:2::1 dev v0
x 64000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000d0000 00000000 00000000
x 24001680 20000100 02000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:d::/64 encap seg6 mode l2encap segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:d::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.L2", "mode": "l2encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# reduced modes: the kernel is given the whole list
> route add 2001:db8:e::/64 encap seg6 mode encap.red segs fc00:2::1,fc00:3::1 dev v0
x 74000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000e0000 00000000 00000000
x 34001680 30000100 03000000 00040401 01000000 fc000003 00000000 00000000 00000001 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:e::/64 encap seg6 mode encap.red segs fc00:2::1,fc00:3::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:e::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.Red", "mode": "encap.red", "segs": ["fc00:2::1", "fc00:3::1"]}, "dev": "v0"}]}

> route add 2001:db8:e1::/64 encap seg6 mode encap.red segs fc00:2::1 dev v0
x 64000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00e10000 00000000 00000000
x 24001680 20000100 03000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:e1::/64 encap seg6 mode encap.red segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:e1::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.Red", "mode": "encap.red", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:f::/64 encap seg6 mode l2encap.red segs fc00:2::1,fc00:3::1 dev v0
x 74000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000f0000 00000000 00000000
x 34001680 30000100 04000000 00040401 01000000 fc000003 00000000 00000000 00000001 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:f::/64 encap seg6 mode l2encap.red segs fc00:2::1,fc00:3::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:f::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.L2.Red", "mode": "l2encap.red", "segs": ["fc00:2::1", "fc00:3::1"]}, "dev": "v0"}]}

> route add 198.51.101.0/24 encap seg6 mode l2encap segs fc00:2::1 dev v0
x 58000000 18000506 00000000 00000000
x 02180000 fe03fd01 00000000
x 08000100 c6336500
x 24001680 20000100 02000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 198.51.101.0/24 encap seg6 mode l2encap segs fc00:2::1 dev v0
d route add 198.51.101.0/24 encap seg6 mode l2encap segs fc00:2::1 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "198.51.101.0/24", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.L2", "mode": "l2encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 198.51.102.0/24 encap seg6 mode encap.red segs fc00:2::1,fc00:3::1 dev v0
x 68000000 18000506 00000000 00000000
x 02180000 fe03fd01 00000000
x 08000100 c6336600
x 34001680 30000100 03000000 00040401 01000000 fc000003 00000000 00000000 00000001 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 198.51.102.0/24 encap seg6 mode encap.red segs fc00:2::1,fc00:3::1 dev v0
d route add 198.51.102.0/24 encap seg6 mode encap.red segs fc00:2::1,fc00:3::1 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "198.51.102.0/24", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.Red", "mode": "encap.red", "segs": ["fc00:2::1", "fc00:3::1"]}, "dev": "v0"}]}

> route add 198.51.103.0/24 encap seg6 mode l2encap.red segs fc00:2::1 dev v0
x 58000000 18000506 00000000 00000000
x 02180000 fe03fd01 00000000
x 08000100 c6336700
x 24001680 20000100 04000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 198.51.103.0/24 encap seg6 mode l2encap.red segs fc00:2::1 dev v0
d route add 198.51.103.0/24 encap seg6 mode l2encap.red segs fc00:2::1 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "198.51.103.0/24", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.L2.Red", "mode": "l2encap.red", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# an HMAC: its flag, its TLV, 40 bytes more
> route add 2001:db8:10::/64 encap seg6 mode encap segs fc00:2::1 hmac 42 dev v0
x 8c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00100000 00000000 00000000
x 4c001680 48000100 01000000 00070400 00080000 fc000002 00000000 00000000 00000001 05260000 0000002a 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:10::/64 encap seg6 mode encap segs fc00:2::1 hmac 42 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:10::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "hmac": 42}, "dev": "v0"}]}

> route add 2001:db8:10::/64 encap seg6 mode encap.red segs fc00:2::1,fc00:3::1 hmac 4294967295 dev v0
x 9c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00100000 00000000 00000000
x 5c001680 58000100 03000000 00090401 01080000 fc000003 00000000 00000000 00000001 fc000002 00000000 00000000 00000001 05260000 ffffffff 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:10::/64 encap seg6 mode encap.red segs fc00:2::1,fc00:3::1 hmac 4294967295 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:10::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.Red", "mode": "encap.red", "segs": ["fc00:2::1", "fc00:3::1"], "hmac": 4294967295}, "dev": "v0"}]}

> route add 2001:db8:10::/64 encap seg6 mode inline segs fc00:2::1 hmac 1 dev v0
x 9c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00100000 00000000 00000000
x 5c001680 58000100 00000000 00090401 01080000 00000000 00000000 00000000 00000000 fc000002 00000000 00000000 00000001 05260000 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:10::/64 encap seg6 mode inline segs fc00:2::1 hmac 1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:10::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Insert", "mode": "inline", "segs": ["fc00:2::1"], "hmac": 1}, "dev": "v0"}]}

# tunsrc, from Linux 7.1
> route add 2001:db8:11::/64 encap seg6 mode encap tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
x 78000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00110000 00000000 00000000
x 38001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001 14000200 20010db8 00000001 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:11::/64 encap seg6 mode encap tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:11::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "tunsrc": "2001:db8:0:1::1"}, "dev": "v0"}]}

> route add 2001:db8:11::/64 encap seg6 mode encap.red tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
x 78000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00110000 00000000 00000000
x 38001680 20000100 03000000 00020400 00000000 fc000002 00000000 00000000 00000001 14000200 20010db8 00000001 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:11::/64 encap seg6 mode encap.red tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:11::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.Red", "mode": "encap.red", "segs": ["fc00:2::1"], "tunsrc": "2001:db8:0:1::1"}, "dev": "v0"}]}

> route add 2001:db8:11::/64 encap seg6 mode l2encap tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
x 78000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00110000 00000000 00000000
x 38001680 20000100 02000000 00020400 00000000 fc000002 00000000 00000000 00000001 14000200 20010db8 00000001 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:11::/64 encap seg6 mode l2encap tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:11::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.L2", "mode": "l2encap", "segs": ["fc00:2::1"], "tunsrc": "2001:db8:0:1::1"}, "dev": "v0"}]}

> route add 2001:db8:11::/64 encap seg6 mode l2encap.red tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
x 78000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00110000 00000000 00000000
x 38001680 20000100 04000000 00020400 00000000 fc000002 00000000 00000000 00000001 14000200 20010db8 00000001 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:11::/64 encap seg6 mode l2encap.red tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:11::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps.L2.Red", "mode": "l2encap.red", "segs": ["fc00:2::1"], "tunsrc": "2001:db8:0:1::1"}, "dev": "v0"}]}

> route add 198.51.100.0/24 encap seg6 mode encap tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
x 6c000000 18000506 00000000 00000000
x 02180000 fe03fd01 00000000
x 08000100 c6336400
x 38001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001 14000200 20010db8 00000001 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 198.51.100.0/24 encap seg6 mode encap tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0
d route add 198.51.100.0/24 encap seg6 mode encap tunsrc 2001:db8:0:1::1 segs fc00:2::1 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "198.51.100.0/24", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "tunsrc": "2001:db8:0:1::1"}, "dev": "v0"}]}

# lookup, from Linux 7.3
> route add 2001:db8:12::/64 encap seg6 mode encap segs fc00:2::1 lookup 500 dev v0
x 6c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00120000 00000000 00000000
x 2c001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001 08000300 f4010000
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:12::/64 encap seg6 mode encap segs fc00:2::1 lookup 500 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:12::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "lookup": 500}, "dev": "v0"}]}

> route add 2001:db8:12::/64 encap seg6 mode inline segs fc00:2::1 lookup main dev v0
x 7c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00120000 00000000 00000000
x 3c001680 30000100 00000000 00040401 01000000 00000000 00000000 00000000 00000000 fc000002 00000000 00000000 00000001 08000300 fe000000
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:12::/64 encap seg6 mode inline segs fc00:2::1 lookup main dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:12::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Insert", "mode": "inline", "segs": ["fc00:2::1"], "lookup": 254}, "dev": "v0"}]}

# all of it
> route add 2001:db8:12::/64 encap seg6 mode encap tunsrc 2001:db8:0:1::1 segs fc00:2::1 hmac 7 lookup 4000000000 dev v0
x a8000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00120000 00000000 00000000
x 68001680 48000100 01000000 00070400 00080000 fc000002 00000000 00000000 00000001 05260000 00000007 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 14000200 20010db8 00000001 00000000 00000001 08000300 00286bee
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:12::/64 encap seg6 mode encap tunsrc 2001:db8:0:1::1 segs fc00:2::1 hmac 7 lookup 4000000000 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:12::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "tunsrc": "2001:db8:0:1::1", "lookup": 4000000000, "hmac": 7}, "dev": "v0"}]}

# fields of the SRH that the kernel keeps
> route add 2001:db8:13::/64 encap seg6 mode encap segs fc00:2::1 tag 4660 dev v0
x 64000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00130000 00000000 00000000
x 24001680 20000100 01000000 00020400 00001234 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:13::/64 encap seg6 mode encap segs fc00:2::1 tag 4660 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:13::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "tag": 4660}, "dev": "v0"}]}

> route add 2001:db8:13::/64 encap seg6 mode encap segs fc00:2::1 srh_flags 0x20 dev v0
x 64000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00130000 00000000 00000000
x 24001680 20000100 01000000 00020400 00200000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:13::/64 encap seg6 mode encap segs fc00:2::1 srh_flags 0x20 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:13::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "srh_flags": 32}, "dev": "v0"}]}

# PadN and an opaque TLV
> route add 2001:db8:13::/64 encap seg6 mode encap segs fc00:2::1 tlvs 04060000000000007c06010203040506 dev v0
x 74000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00130000 00000000 00000000
x 34001680 30000100 01000000 00040400 00000000 fc000002 00000000 00000000 00000001 04060000 00000000 7c060102 03040506
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:13::/64 encap seg6 mode encap segs fc00:2::1 tlvs 04060000000000007c06010203040506 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:13::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "tlvs": "04060000000000007c06010203040506"}, "dev": "v0"}]}

# the HMAC comes last
> route add 2001:db8:13::/64 encap seg6 mode encap segs fc00:2::1 hmac 42 tag 65535 srh_flags 0x10 tlvs 0406000000000000 dev v0
x 94000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00130000 00000000 00000000
x 54001680 50000100 01000000 00080400 0018ffff fc000002 00000000 00000000 00000001 04060000 00000000 05260000 0000002a 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:13::/64 encap seg6 mode encap segs fc00:2::1 hmac 42 tag 65535 srh_flags 0x10 tlvs 0406000000000000 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:13::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "hmac": 42, "tag": 65535, "srh_flags": 16, "tlvs": "0406000000000000"}, "dev": "v0"}]}

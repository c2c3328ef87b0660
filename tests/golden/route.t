# the default route has no destination attribute
> -6 route add default encap seg6 mode encap segs fc00:2::1 dev v0
x 50000000 18000506 00000000 00000000
x 0a000000 fe030001 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add ::/0 encap seg6 mode encap segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "::/0", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> -4 route add default encap seg6 mode encap segs fc00:2::1 dev v0
x 50000000 18000506 00000000 00000000
x 02000000 fe03fd01 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 0.0.0.0/0 encap seg6 mode encap segs fc00:2::1 dev v0
d route add 0.0.0.0/0 encap seg6 mode encap segs fc00:2::1 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "0.0.0.0/0", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 table 1000
x 6c000000 18000506 00000000 00000000
x 0a400000 00030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000f00 e8030000
x 08000400 0a000000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 table 1000
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "table": 1000, "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 table 100
x 64000000 18000506 00000000 00000000
x 0a400000 64030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 table 100
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "table": 100, "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 metric 50
x 6c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000600 32000000
x 08000400 0a000000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 metric 50
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "metric": 50, "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 proto static
x 64000000 18000506 00000000 00000000
x 0a400000 fe040001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 proto static
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "protocol": "static", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 proto 99 metric 50
x 6c000000 18000506 00000000 00000000
x 0a400000 fe630001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000600 32000000
x 08000400 0a000000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 proto openr metric 50
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "metric": 50, "protocol": "openr", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2 dev v0
x 78000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 14000500 20010db8 00000001 00000000 00000002
x 08000400 0a000000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "via": "2001:db8:0:1::2", "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2
x 70000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 14000500 20010db8 00000001 00000000 00000002
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "via": "2001:db8:0:1::2"}]}

# IPv4 through a gateway: scope universe
> route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 via 192.0.2.2 dev v0
x 60000000 18000506 00000000 00000000
x 02180000 fe030001 00000000
x 08000100 c6336400
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000500 c0000202
x 08000400 0a000000
= route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 via 192.0.2.2 dev v0
j {"object": "route", "verb": "add", "dst": "198.51.100.0/24", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "via": "192.0.2.2", "dev": "v0"}]}

# IPv4 through an IPv6 gateway
> route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 via inet6 2001:db8:0:1::2 dev v0
x 70000000 18000506 00000000 00000000
x 02180000 fe030001 00000000
x 08000100 c6336400
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 16001200 0a002001 0db80000 00010000 00000000 00020000
x 08000400 0a000000
= route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 via inet6 2001:db8:0:1::2 dev v0
j {"object": "route", "verb": "add", "dst": "198.51.100.0/24", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "via": "2001:db8:0:1::2", "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 mtu 1400
x 70000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
x 0c000800 08000200 78050000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 mtu 1400
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "mtu": 1400, "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 mtu lock 1400 advmss 1340 hoplimit 9
x 88000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
x 24000800 08000100 04000000 08000200 78050000 08000800 3c050000 08000a00 09000000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 mtu lock 1400 advmss 1340 hoplimit 9
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "lock": ["mtu"], "mtu": 1400, "advmss": 1340, "hoplimit": 9, "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 pref high
x 6c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 05001400 01000000
x 08000400 0a000000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 pref high
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "pref": "high", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 prefsrc 2001:db8:0:1::1
x 78000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 14000700 20010db8 00000001 00000000 00000001
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0 src 2001:db8:0:1::1
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "prefsrc": "2001:db8:0:1::1", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 dev v0 tos 0x10
x 58000000 18000506 00000000 00000000
x 02180010 fe03fd01 00000000
x 08000100 c6336400
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 198.51.100.0/24 tos 0x10 encap seg6 mode encap segs fc00:2::1 dev v0
d route add 198.51.100.0/24 tos 0x10 encap seg6 mode encap segs fc00:2::1 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "198.51.100.0/24", "tos": 16, "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 dev v0 scope host
x 58000000 18000506 00000000 00000000
x 02180000 fe03fe01 00000000
x 08000100 c6336400
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 dev v0 scope host
j {"object": "route", "verb": "add", "dst": "198.51.100.0/24", "scope": "host", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# two hops, an encapsulation each; weight 1 is not written back
> route add 2001:db8:20::/64 nexthop encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2 dev v0 weight 1 nexthop encap seg6 mode encap segs fc00:3::1 via 2001:db8:0:1::3 dev v0 weight 2
x c4000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00200000 00000000 00000000
x 94000900 48000000 0a000000 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001 06001500 05000000 14000500 20010db8 00000001 00000000 00000002 48000001 0a000000 24001680 20000100 01000000 00020400 00000000 fc000003 00000000 00000000 00000001 06001500 05000000 14000500 20010db8 00000001 00000000 00000003
= route add 2001:db8:20::/64 nexthop encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2 dev v0 weight 1 nexthop encap seg6 mode encap segs fc00:3::1 via 2001:db8:0:1::3 dev v0 weight 2
j {"object": "route", "verb": "add", "dst": "2001:db8:20::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "via": "2001:db8:0:1::2", "dev": "v0", "weight": 1}, {"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:3::1"]}, "via": "2001:db8:0:1::3", "dev": "v0", "weight": 2}]}

> route add 198.51.100.0/24 nexthop encap seg6 mode encap segs fc00:2::1 dev v0 weight 1 nexthop encap seg6 mode encap segs fc00:3::1 dev v1 weight 256
x 90000000 18000506 00000000 00000000
x 02180000 fe030001 00000000
x 08000100 c6336400
x 6c000900 34000000 0a000000 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001 06001500 05000000 340000ff 0b000000 24001680 20000100 01000000 00020400 00000000 fc000003 00000000 00000000 00000001 06001500 05000000
= route add 198.51.100.0/24 nexthop encap seg6 mode encap segs fc00:2::1 dev v0 weight 1 nexthop encap seg6 mode encap segs fc00:3::1 dev v1 weight 256
d route add 198.51.100.0/24 nexthop encap seg6 mode encap segs fc00:2::1 dev v0 weight 1 nexthop encap seg6 mode encap segs fc00:3::1 dev v1 weight 256 scope global
j {"object": "route", "verb": "add", "dst": "198.51.100.0/24", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0", "weight": 1}, {"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:3::1"]}, "dev": "v1", "weight": 256}]}

# by nexthop object
> route add 2001:db8:21::/64 nhid 77
x 38000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 08001e00 4d000000
= route add 2001:db8:21::/64 nhid 77
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "nhid": 77, "hops": []}

# verbs are flags
> route replace 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0
x 64000000 18000505 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route replace 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0
j {"object": "route", "verb": "replace", "dst": "2001:db8:21::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route change 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0
x 64000000 18000501 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 08000400 0a000000
= route change 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 dev v0
j {"object": "route", "verb": "change", "dst": "2001:db8:21::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> route append 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2 dev v0
x 78000000 1800050c 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00210000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06001500 05000000
x 14000500 20010db8 00000001 00000000 00000002
x 08000400 0a000000
= route append 2001:db8:21::/64 encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2 dev v0
j {"object": "route", "verb": "append", "dst": "2001:db8:21::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "via": "2001:db8:0:1::2", "dev": "v0"}]}

> sid replace fc00:1::2 End.T table 100 dev v0 proto 99 metric 50
x 5c000000 18000505 00000000 00000000
x 0a800000 fe630001 00000000
x 14000100 fc000001 00000000 00000000 00000002
x 14001680 08000100 03000000 08000300 64000000
x 06001500 07000000
x 08000600 32000000
x 08000400 0a000000
= route replace fc00:1::2 encap seg6local action End.T table 100 dev v0 proto openr metric 50
j {"object": "route", "verb": "replace", "dst": "fc00:1::2", "metric": 50, "protocol": "openr", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.T", "action": "End.T", "table": 100}, "dev": "v0"}]}

# a deletion carries no encapsulation
> route del fc00:1::1/128
x 30000000 19000500 00000000 00000000
x 0a800000 fe000000 00000000
x 14000100 fc000001 00000000 00000000 00000001
= route del fc00:1::1
j {"object": "route", "verb": "del", "dst": "fc00:1::1", "hops": []}

> route del 198.51.100.0/24
x 24000000 19000500 00000000 00000000
x 02180000 fe00ff00 00000000
x 08000100 c6336400
= route del 198.51.100.0/24
j {"object": "route", "verb": "del", "dst": "198.51.100.0/24", "hops": []}

> route del fc00:1::1/128 table 1000 metric 7
x 40000000 19000500 00000000 00000000
x 0a800000 00000000 00000000
x 14000100 fc000001 00000000 00000000 00000001
x 08000f00 e8030000
x 08000600 07000000
= route del fc00:1::1 table 1000 metric 7
j {"object": "route", "verb": "del", "dst": "fc00:1::1", "table": 1000, "metric": 7, "hops": []}

> route append 2001:db8:a::/64 encap seg6 mode encap segs fc00:9::1 via 2001:db8:0:1::9 dev v0
x 78000000 1800050c 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000a0000 00000000 00000000
x 24001680 20000100 01000000 00020400 00000000 fc000009 00000000 00000000 00000001
x 06001500 05000000
x 14000500 20010db8 00000001 00000000 00000009
x 08000400 0a000000
= route append 2001:db8:a::/64 encap seg6 mode encap segs fc00:9::1 via 2001:db8:0:1::9 dev v0
j {"object": "route", "verb": "append", "dst": "2001:db8:a::/64", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:9::1"]}, "via": "2001:db8:0:1::9", "dev": "v0"}]}

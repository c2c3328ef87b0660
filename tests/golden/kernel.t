# dump of row 1
x a0000000 18000200 00000000 00000000 0a400000 fe030001 00000000 08000f00 fe000000 14000100 20010db8 000a0000
x 00000000 00000000 08000600 00040000 08000400 0a000000 24001600 20000100 01000000 00020400 00000000 fc000002
x 00000000 00000000 00000001 06001500 05000000 24000c00 00000000 00000000 00000000 00000000 00000000 00000000
x 00000000 00000000 05001400 00000000
= route add 2001:db8:a::/64 encap seg6 mode encap segs fc00:2::1 dev v0 metric 1024
j {"object": "route", "verb": "add", "dst": "2001:db8:a::/64", "type": "unicast", "table": 254, "metric": 1024, "protocol": "boot", "scope": "global", "pref": "medium", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# dump of row 8 (HMAC template)
x c8000000 18000200 00000000 00000000 0a400000 fe030001 00000000 08000f00 fe000000 14000100 20010db8 00100000
x 00000000 00000000 08000600 00040000 08000400 0a000000 4c001600 48000100 01000000 00070400 00080000 fc000002
x 00000000 00000000 00000001 05260000 0000002a 00000000 00000000 00000000 00000000 00000000 00000000 00000000
x 00000000 06001500 05000000 24000c00 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
x 05001400 00000000
= route add 2001:db8:10::/64 encap seg6 mode encap segs fc00:2::1 hmac 42 dev v0 metric 1024
j {"object": "route", "verb": "add", "dst": "2001:db8:10::/64", "type": "unicast", "table": 254, "metric": 1024, "protocol": "boot", "scope": "global", "pref": "medium", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"], "hmac": 42}, "dev": "v0"}]}

# dump of row 14 (End next-csid lblen 48 nflen 16)
x a4000000 18000200 00000000 00000000 0a800000 fe030001 00000000 08000f00 fe000000 14000100 fc000001 00000000
x 00000000 00000004 08000600 00040000 08000400 0a000000 28001600 08000100 01000000 1c000b80 08000100 10000000
x 05000200 30000000 05000300 10000000 06001500 07000000 24000c00 00000000 00000000 00000000 00000000 00000000
x 00000000 00000000 00000000 05001400 00000000
= route add fc00:1::4 encap seg6local action End flavors next-csid lblen 48 nflen 16 dev v0 metric 1024
j {"object": "route", "verb": "add", "dst": "fc00:1::4", "type": "unicast", "table": 254, "metric": 1024, "protocol": "boot", "scope": "global", "pref": "medium", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "flavors": ["next-csid"], "lblen": 48, "nflen": 16}, "dev": "v0"}]}

# dump of row 16 (End.X nh6 oif)
x a4000000 18000200 00000000 00000000 0a800000 fe030001 00000000 08000f00 fe000000 14000100 fc000001 00000000
x 00000000 00000006 08000600 00040000 08000400 0a000000 28001600 08000100 02000000 14000500 fe800000 00000000
x 00000000 00000002 08000700 0a000000 06001500 07000000 24000c00 00000000 00000000 00000000 00000000 00000000
x 00000000 00000000 00000000 05001400 00000000
= route add fc00:1::6 encap seg6local action End.X nh6 fe80::2 oif v0 dev v0 metric 1024
j {"object": "route", "verb": "add", "dst": "fc00:1::6", "type": "unicast", "table": 254, "metric": 1024, "protocol": "boot", "scope": "global", "pref": "medium", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.X", "action": "End.X", "nh6": "fe80::2", "oif": "v0"}, "dev": "v0"}]}

# dump of row 21 (End.DT6 table 100)
x 90000000 18000200 00000000 00000000 0a800000 fe030001 00000000 08000f00 fe000000 14000100 fc000001 00000000
x 00000000 0000000b 08000600 00040000 08000400 0a000000 14001600 08000100 07000000 08000300 64000000 06001500
x 07000000 24000c00 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 05001400 00000000
= route add fc00:1::b encap seg6local action End.DT6 table 100 dev v0 metric 1024
j {"object": "route", "verb": "add", "dst": "fc00:1::b", "type": "unicast", "table": 254, "metric": 1024, "protocol": "boot", "scope": "global", "pref": "medium", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DT6", "action": "End.DT6", "table": 100}, "dev": "v0"}]}

# dump of End.X nh6 + counters + next-csid sent without lengths (dumped 32/16), proto 4
x e0000000 18000200 00000000 00000000 0a800000 fe040001 00000000 08000f00 fe000000 14000100 fc000001 00000000
x 00000000 00000012 08000600 00040000 08000400 0a000000 64001600 08000100 02000000 14000500 20010db8 00000001
x 00000000 00000002 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 1c000b80 08000100 10000000 05000200 20000000 05000300 10000000 06001500 07000000 24000c00 00000000 00000000
x 00000000 00000000 00000000 00000000 00000000 00000000 05001400 00000000
= route add fc00:1::12 encap seg6local action End.X nh6 2001:db8:0:1::2 count flavors next-csid lblen 32 nflen 16 dev v0 proto static metric 1024
j {"object": "route", "verb": "add", "dst": "fc00:1::12", "type": "unicast", "table": 254, "metric": 1024, "protocol": "static", "scope": "global", "pref": "medium", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.X", "action": "End.X", "nh6": "2001:db8:0:1::2", "count": true, "flavors": ["next-csid"], "lblen": 32, "nflen": 16}, "dev": "v0"}]}

# dump of row 3 (IPv4)
x 60000000 18000200 00000000 00000000 02180000 fe03fd01 00000000 08000f00 fe000000 08000100 c6336400 08000400
x 0a000000 24001600 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001 06001500 05000000
= route add 198.51.100.0/24 encap seg6 mode encap segs fc00:2::1 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "198.51.100.0/24", "type": "unicast", "table": 254, "protocol": "boot", "scope": "link", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# dump of row 27 (multipath)
x 00010000 18000200 00000000 00000000 0a400000 fe030001 00000000 08000f00 fe000000 14000100 20010db8 00200000
x 00000000 00000000 08000600 00040000 94000900 48000000 0a000000 14000500 20010db8 00000001 00000000 00000002
x 24001600 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001 06001500 05000000 48000001
x 0a000000 14000500 20010db8 00000001 00000000 00000003 24001600 20000100 01000000 00020400 00000000 fc000003
x 00000000 00000000 00000001 06001500 05000000 24000c00 00000000 00000000 00000000 00000000 00000000 00000000
x 00000000 00000000 05001400 00000000
= route add 2001:db8:20::/64 nexthop encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2 dev v0 weight 1 nexthop encap seg6 mode encap segs fc00:3::1 via 2001:db8:0:1::3 dev v0 weight 2 metric 1024
j {"object": "route", "verb": "add", "dst": "2001:db8:20::/64", "type": "unicast", "table": 254, "metric": 1024, "protocol": "boot", "scope": "global", "pref": "medium", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "via": "2001:db8:0:1::2", "dev": "v0", "weight": 1}, {"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:3::1"]}, "via": "2001:db8:0:1::3", "dev": "v0", "weight": 2}]}

# dump of row 29 (nhid, nexthop_compat_mode 1)
x a8000000 18000200 00000000 00000000 0a400000 fe030001 00000000 08000f00 fe000000 14000100 20010db8 00210000
x 00000000 00000000 08000600 00040000 08001e00 4d000000 08000400 0a000000 24001600 20000100 01000000 00020400
x 00000000 fc000002 00000000 00000000 00000001 06001500 05000000 24000c00 00000000 00000000 00000000 00000000
x 00000000 00000000 00000000 00000000 05001400 00000000
= route add 2001:db8:21::/64 nhid 77 metric 1024 # by nexthop object: encap seg6 mode encap segs fc00:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:21::/64", "type": "unicast", "table": 254, "metric": 1024, "protocol": "boot", "scope": "global", "nhid": 77, "pref": "medium", "derived": true, "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# RTM_NEWNEXTHOP dump of row 28
x 54000000 68000200 00000000 00000000 0afd0000 00000000 08000100 4d000000 08000500 0a000000 24000800 20000100
x 01000000 00020400 00000000 fc000002 00000000 00000000 00000001 06000700 05000000
= nexthop add id 77 encap seg6 mode encap segs fc00:2::1 dev v0
j {"object": "nexthop", "verb": "add", "id": 77, "family": "inet6", "protocol": "unspec", "scope": "link", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# a request captured by the author of mobile-v2: End.M.GTP4.E on device 1
x 70000000 18000506 3499f969 00000000 0a380000 feba0001 00000000 14000100 20010db8 000e0000 00000000 00000000
x 28001680 08000100 12000000 14000c00 20010db8 000e0000 00000000 00000100 05000d00 20000000 06001500 07000000
x 08000600 14000000 08000400 01000000
= route add 2001:db8:e::/56 encap seg6local action End.M.GTP4.E src 2001:db8:e::100 v4_mask_len 32 dev lo proto bgp metric 20
j {"object": "route", "verb": "add", "dst": "2001:db8:e::/56", "type": "unicast", "table": 254, "metric": 20, "protocol": "bgp", "scope": "global", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.M.GTP4.E", "action": "End.M.GTP4.E", "src": "2001:db8:e::100", "v4_mask_len": 32}, "dev": "lo"}]}

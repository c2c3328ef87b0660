> route add 2001:db8:f::/64 encap seg6mobile action End.MAP mapped_sid 2001:db8:3::3 count dev v0
x 88000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000f0000 00000000 00000000
x 48001680 08000100 01000000 14000200 20010db8 00030000 00000000 00000003 28000380 0c000100 00000000 00000000 0c000200 00000000 00000000 0c000300 00000000 00000000
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8:f::/64 encap seg6mobile action End.MAP count mapped_sid 2001:db8:3::3 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:f::/64", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.MAP", "action": "End.MAP", "count": true, "mapped_sid": "2001:db8:3::3"}, "dev": "v0"}]}

> route add 2001:db8:f::/64 encap seg6mobile action End.MAP mapped_sid 2001:db8:3::3 dev v0
x 60000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000f0000 00000000 00000000
x 20001680 08000100 01000000 14000200 20010db8 00030000 00000000 00000003
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8:f::/64 encap seg6mobile action End.MAP mapped_sid 2001:db8:3::3 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:f::/64", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.MAP", "action": "End.MAP", "mapped_sid": "2001:db8:3::3"}, "dev": "v0"}]}

> route add 2001:db8::/32 encap seg6mobile action End.M.GTP4.E pdu_type dl v6_src_prefix_len 64 sr_prefix_len 32 dev v0
x 64000000 18000506 00000000 00000000
x 0a200000 fe030001 00000000
x 14000100 20010db8 00000000 00000000 00000000
x 24001680 08000100 02000000 05000400 00000000 05000500 40000000 05000600 20000000
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8::/32 encap seg6mobile action End.M.GTP4.E pdu_type dl v6_src_prefix_len 64 sr_prefix_len 32 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8::/32", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.M.GTP4.E", "action": "End.M.GTP4.E", "pdu_type": "dl", "v6_src_prefix_len": 64, "sr_prefix_len": 32}, "dev": "v0"}]}

> route add 2001:db8::/32 encap seg6mobile action End.M.GTP4.E v6_src_prefix_len 96 sr_prefix_len 56 count dev v0
x 84000000 18000506 00000000 00000000
x 0a200000 fe030001 00000000
x 14000100 20010db8 00000000 00000000 00000000
x 44001680 08000100 02000000 28000380 0c000100 00000000 00000000 0c000200 00000000 00000000 0c000300 00000000 00000000 05000500 60000000 05000600 38000000
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8::/32 encap seg6mobile action End.M.GTP4.E count v6_src_prefix_len 96 sr_prefix_len 56 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8::/32", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.M.GTP4.E", "action": "End.M.GTP4.E", "count": true, "v6_src_prefix_len": 96, "sr_prefix_len": 56}, "dev": "v0"}]}

> route add 2001:db8:e::/64 encap seg6mobile action End.M.GTP6.E src 2001:db8:2::1 sr_prefix_len 64 udp6_zerocsum_tx dev v0
x 6c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000e0000 00000000 00000000
x 2c001680 08000100 03000000 05000600 40000000 14000700 20010db8 00020000 00000000 00000001 04000800
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8:e::/64 encap seg6mobile action End.M.GTP6.E src 2001:db8:2::1 sr_prefix_len 64 udp6_zerocsum_tx dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:e::/64", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.M.GTP6.E", "action": "End.M.GTP6.E", "src": "2001:db8:2::1", "sr_prefix_len": 64, "udp6_zerocsum_tx": true}, "dev": "v0"}]}

> route add 2001:db8:e::/64 encap seg6mobile action End.M.GTP6.E src 2001:db8:2::1 sr_prefix_len 88 pdu_type ul dev v0
x 70000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000e0000 00000000 00000000
x 30001680 08000100 03000000 05000400 01000000 05000600 58000000 14000700 20010db8 00020000 00000000 00000001
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8:e::/64 encap seg6mobile action End.M.GTP6.E src 2001:db8:2::1 pdu_type ul sr_prefix_len 88 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:e::/64", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.M.GTP6.E", "action": "End.M.GTP6.E", "src": "2001:db8:2::1", "pdu_type": "ul", "sr_prefix_len": 88}, "dev": "v0"}]}

> route add 2001:db8:fd::/64 encap seg6mobile action End.M.GTP6.D src 2001:db8:2::1 srh segs 2001:db8:3::e sr_prefix_len 64 dev v0
x 84000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00fd0000 00000000 00000000
x 44001680 08000100 04000000 05000600 40000000 14000700 20010db8 00020000 00000000 00000001 1c000900 00020400 00000000 20010db8 00030000 00000000 0000000e
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8:fd::/64 encap seg6mobile action End.M.GTP6.D srh segs 2001:db8:3::e src 2001:db8:2::1 sr_prefix_len 64 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:fd::/64", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.M.GTP6.D", "action": "End.M.GTP6.D", "segs": ["2001:db8:3::e"], "src": "2001:db8:2::1", "sr_prefix_len": 64}, "dev": "v0"}]}

> route add 2001:db8:f::/64 encap seg6mobile action End.M.GTP6.D.Di src 2001:db8:2::1 srh segs 2001:db8:3::e dev v0
x 7c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000f0000 00000000 00000000
x 3c001680 08000100 05000000 14000700 20010db8 00020000 00000000 00000001 1c000900 00020400 00000000 20010db8 00030000 00000000 0000000e
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8:f::/64 encap seg6mobile action End.M.GTP6.D.Di srh segs 2001:db8:3::e src 2001:db8:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:f::/64", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.M.GTP6.D.Di", "action": "End.M.GTP6.D.Di", "segs": ["2001:db8:3::e"], "src": "2001:db8:2::1"}, "dev": "v0"}]}

> route add 2001:db8:f::/64 encap seg6mobile action End.M.GTP6.D.Di src 2001:db8:2::1 srh segs fc00:2::1,2001:db8:3::e count dev v0
x b4000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000f0000 00000000 00000000
x 74001680 08000100 05000000 28000380 0c000100 00000000 00000000 0c000200 00000000 00000000 0c000300 00000000 00000000 14000700 20010db8 00020000 00000000 00000001 2c000900 00040401 01000000 20010db8 00030000 00000000 0000000e fc000002 00000000 00000000 00000001
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8:f::/64 encap seg6mobile action End.M.GTP6.D.Di srh segs fc00:2::1,2001:db8:3::e count src 2001:db8:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:f::/64", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.M.GTP6.D.Di", "action": "End.M.GTP6.D.Di", "segs": ["fc00:2::1", "2001:db8:3::e"], "count": true, "src": "2001:db8:2::1"}, "dev": "v0"}]}

> route add 10.20.0.0/24 encap seg6mobile action H.M.GTP4.D src 2001:db8:2::1 srh segs 2001:db8:3::e v6_src_prefix_len 64 sr_prefix_len 32 dev v0
x 80000000 18000506 00000000 00000000
x 02180000 fe03fd01 00000000
x 08000100 0a140000
x 4c001680 08000100 06000000 05000500 40000000 05000600 20000000 14000700 20010db8 00020000 00000000 00000001 1c000900 00020400 00000000 20010db8 00030000 00000000 0000000e
x 06001500 0b000000
x 08000400 0a000000
= route add 10.20.0.0/24 encap seg6mobile action H.M.GTP4.D srh segs 2001:db8:3::e src 2001:db8:2::1 v6_src_prefix_len 64 sr_prefix_len 32 dev v0
d route add 10.20.0.0/24 encap seg6mobile action H.M.GTP4.D srh segs 2001:db8:3::e src 2001:db8:2::1 v6_src_prefix_len 64 sr_prefix_len 32 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "10.20.0.0/24", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "H.M.GTP4.D", "action": "H.M.GTP4.D", "segs": ["2001:db8:3::e"], "src": "2001:db8:2::1", "v6_src_prefix_len": 64, "sr_prefix_len": 32}, "dev": "v0"}]}

> sid add 2001:db8:f::/64 End.MAP mapped_sid 2001:db8:3::3 count dev v0
x 88000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000f0000 00000000 00000000
x 48001680 08000100 01000000 14000200 20010db8 00030000 00000000 00000003 28000380 0c000100 00000000 00000000 0c000200 00000000 00000000 0c000300 00000000 00000000
x 06001500 0b000000
x 08000400 0a000000
= route add 2001:db8:f::/64 encap seg6mobile action End.MAP count mapped_sid 2001:db8:3::3 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:f::/64", "hops": [{"encap": {"encap_type": "seg6mobile", "behavior": "End.MAP", "action": "End.MAP", "count": true, "mapped_sid": "2001:db8:3::3"}, "dev": "v0"}]}

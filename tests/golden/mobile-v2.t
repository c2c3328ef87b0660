> --mobile mobile-v2 route add 2001:db8:e::/56 encap seg6local action End.M.GTP4.E src 2001:db8:e::100 v4_mask_len 32 metric 20 proto 186 dev v0
x 70000000 18000506 00000000 00000000
x 0a380000 feba0001 00000000
x 14000100 20010db8 000e0000 00000000 00000000
x 28001680 08000100 12000000 14000c00 20010db8 000e0000 00000000 00000100 05000d00 20000000
x 06001500 07000000
x 08000600 14000000
x 08000400 0a000000
= route add 2001:db8:e::/56 encap seg6local action End.M.GTP4.E src 2001:db8:e::100 v4_mask_len 32 dev v0 proto bgp metric 20
j {"object": "route", "verb": "add", "dst": "2001:db8:e::/56", "metric": 20, "protocol": "bgp", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.M.GTP4.E", "action": "End.M.GTP4.E", "src": "2001:db8:e::100", "v4_mask_len": 32}, "dev": "v0"}]}

> --mobile mobile-v2 route add 2001:db8:f::/64 encap seg6local action End.MAP mapped_sid 2001:db8:3::3 count dev v0
x 88000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000f0000 00000000 00000000
x 48001680 08000100 11000000 14000500 20010db8 00030000 00000000 00000003 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add 2001:db8:f::/64 encap seg6local action End.MAP count mapped_sid 2001:db8:3::3 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:f::/64", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.MAP", "action": "End.MAP", "count": true, "mapped_sid": "2001:db8:3::3"}, "dev": "v0"}]}

> --mobile mobile-v2 route add 2001:db8:e::/56 encap seg6local action End.M.GTP4.E src 2001:db8:e::100 v4_mask_len 24 pdu_type dl v6_src_prefix_len 64 oif v1 dev v0
x 80000000 18000506 00000000 00000000
x 0a380000 fe030001 00000000
x 14000100 20010db8 000e0000 00000000 00000000
x 40001680 08000100 12000000 08000700 0b000000 14000c00 20010db8 000e0000 00000000 00000100 05000d00 18000000 05000e00 00000000 05000f00 40000000
x 06001500 07000000
x 08000400 0a000000
= route add 2001:db8:e::/56 encap seg6local action End.M.GTP4.E oif v1 src 2001:db8:e::100 pdu_type dl v6_src_prefix_len 64 v4_mask_len 24 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:e::/56", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.M.GTP4.E", "action": "End.M.GTP4.E", "oif": "v1", "src": "2001:db8:e::100", "pdu_type": "dl", "v6_src_prefix_len": 64, "v4_mask_len": 24}, "dev": "v0"}]}

> --mobile mobile-v2 route add 2001:db8:e::/64 encap seg6local action End.M.GTP6.E src 2001:db8:2::1 pdu_type ul dev v0
x 68000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000e0000 00000000 00000000
x 28001680 08000100 13000000 14000c00 20010db8 00020000 00000000 00000001 05000e00 01000000
x 06001500 07000000
x 08000400 0a000000
= route add 2001:db8:e::/64 encap seg6local action End.M.GTP6.E src 2001:db8:2::1 pdu_type ul dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:e::/64", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.M.GTP6.E", "action": "End.M.GTP6.E", "src": "2001:db8:2::1", "pdu_type": "ul"}, "dev": "v0"}]}

> --mobile mobile-v2 route add 2001:db8:fd::/64 encap seg6local action End.M.GTP6.D srh segs 2001:db8:3::e src 2001:db8:2::1 sr_prefix_len 64 dev v0
x 84000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 00fd0000 00000000 00000000
x 44001680 08000100 14000000 1c000200 00020400 00000000 20010db8 00030000 00000000 0000000e 14000c00 20010db8 00020000 00000000 00000001 05001000 40000000
x 06001500 07000000
x 08000400 0a000000
= route add 2001:db8:fd::/64 encap seg6local action End.M.GTP6.D srh segs 2001:db8:3::e src 2001:db8:2::1 sr_prefix_len 64 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:fd::/64", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.M.GTP6.D", "action": "End.M.GTP6.D", "segs": ["2001:db8:3::e"], "src": "2001:db8:2::1", "sr_prefix_len": 64}, "dev": "v0"}]}

> --mobile mobile-v2 route add 2001:db8:f::/64 encap seg6local action End.M.GTP6.D.Di srh segs 2001:db8:3::e src 2001:db8:2::1 dev v0
x 7c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 20010db8 000f0000 00000000 00000000
x 3c001680 08000100 15000000 1c000200 00020400 00000000 20010db8 00030000 00000000 0000000e 14000c00 20010db8 00020000 00000000 00000001
x 06001500 07000000
x 08000400 0a000000
= route add 2001:db8:f::/64 encap seg6local action End.M.GTP6.D.Di srh segs 2001:db8:3::e src 2001:db8:2::1 dev v0
j {"object": "route", "verb": "add", "dst": "2001:db8:f::/64", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.M.GTP6.D.Di", "action": "End.M.GTP6.D.Di", "segs": ["2001:db8:3::e"], "src": "2001:db8:2::1"}, "dev": "v0"}]}

> --mobile mobile-v2 route add 10.20.0.0/24 encap seg6local action H.M.GTP4.D nh6 2001:db8:3::e src 2001:db8:2::1 v4_mask_len 32 sr_prefix_len 32 v6_src_prefix_len 64 dev v0
x 80000000 18000506 00000000 00000000
x 02180000 fe03fd01 00000000
x 08000100 0a140000
x 4c001680 08000100 16000000 14000500 20010db8 00030000 00000000 0000000e 14000c00 20010db8 00020000 00000000 00000001 05000d00 20000000 05000f00 40000000 05001000 20000000
x 06001500 07000000
x 08000400 0a000000
= route add 10.20.0.0/24 encap seg6local action H.M.GTP4.D nh6 2001:db8:3::e src 2001:db8:2::1 v6_src_prefix_len 64 sr_prefix_len 32 v4_mask_len 32 dev v0
d route add 10.20.0.0/24 encap seg6local action H.M.GTP4.D nh6 2001:db8:3::e src 2001:db8:2::1 v6_src_prefix_len 64 sr_prefix_len 32 v4_mask_len 32 dev v0 scope link
j {"object": "route", "verb": "add", "dst": "10.20.0.0/24", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "H.M.GTP4.D", "action": "H.M.GTP4.D", "nh6": "2001:db8:3::e", "src": "2001:db8:2::1", "v6_src_prefix_len": 64, "sr_prefix_len": 32, "v4_mask_len": 32}, "dev": "v0"}]}

> -6 nexthop add id 77 encap seg6 mode encap segs fc00:2::1 dev v0
x 54000000 68000506 00000000 00000000
x 0a000000 00000000
x 08000100 4d000000
x 24000880 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06000700 05000000
x 08000500 0a000000
= nexthop add id 77 encap seg6 mode encap segs fc00:2::1 dev v0
j {"object": "nexthop", "verb": "add", "id": 77, "family": "inet6", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

> nexthop add id 77 encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2 dev v0
x 68000000 68000506 00000000 00000000
x 0a000000 00000000
x 08000100 4d000000
x 24000880 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06000700 05000000
x 14000600 20010db8 00000001 00000000 00000002
x 08000500 0a000000
= nexthop add id 77 encap seg6 mode encap segs fc00:2::1 via 2001:db8:0:1::2 dev v0
j {"object": "nexthop", "verb": "add", "id": 77, "family": "inet6", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "via": "2001:db8:0:1::2", "dev": "v0"}]}

> nexthop add id 77 encap seg6 mode encap segs fc00:2::1 via 192.0.2.2 dev v0
x 5c000000 68000506 00000000 00000000
x 02000000 00000000
x 08000100 4d000000
x 24000880 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06000700 05000000
x 08000600 c0000202
x 08000500 0a000000
= nexthop add id 77 encap seg6 mode encap segs fc00:2::1 via 192.0.2.2 dev v0
j {"object": "nexthop", "verb": "add", "id": 77, "family": "inet", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "via": "192.0.2.2", "dev": "v0"}]}

> -6 nexthop add id 77 encap seg6local action End count dev v0
x 64000000 68000506 00000000 00000000
x 0a000000 00000000
x 08000100 4d000000
x 34000880 08000100 01000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06000700 07000000
x 08000500 0a000000
= nexthop add id 77 encap seg6local action End count dev v0
j {"object": "nexthop", "verb": "add", "id": 77, "family": "inet6", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "count": true}, "dev": "v0"}]}

> -6 nexthop replace id 77 encap seg6 mode encap segs fc00:2::1 dev v0
x 54000000 68000505 00000000 00000000
x 0a000000 00000000
x 08000100 4d000000
x 24000880 20000100 01000000 00020400 00000000 fc000002 00000000 00000000 00000001
x 06000700 05000000
x 08000500 0a000000
= nexthop replace id 77 encap seg6 mode encap segs fc00:2::1 dev v0
j {"object": "nexthop", "verb": "replace", "id": 77, "family": "inet6", "hops": [{"encap": {"encap_type": "seg6", "behavior": "H.Encaps", "mode": "encap", "segs": ["fc00:2::1"]}, "dev": "v0"}]}

# a group: weight less one
> nexthop add id 80 group 77/78,3
x 34000000 68000506 00000000 00000000
x 00000000 00000000
x 08000100 50000000
x 14000200 4d000000 00000000 4e000000 02000000
= nexthop add id 80 group 77/78,3
j {"object": "nexthop", "verb": "add", "id": 80, "group": [{"id": 77, "weight": 1}, {"id": 78, "weight": 3}], "hops": []}

> nexthop del id 77
x 20000000 69000500 00000000 00000000
x 00000000 00000000
x 08000100 4d000000
= nexthop del id 77
j {"object": "nexthop", "verb": "del", "id": 77, "hops": []}

> sid add fc00:1::1 End dev v0
x 4c000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000001
x 0c001680 08000100 01000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::1 encap seg6local action End dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::1", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End"}, "dev": "v0"}]}

# count: a nest of three zeros
> sid add fc00:1::2 End count dev v0
x 74000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000002
x 34001680 08000100 01000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::2 encap seg6local action End count dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::2", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "count": true}, "dev": "v0"}]}

# table 0 is taken, and kept
> sid add fc00:1::3 End.T table 0 dev v0
x 54000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000003
x 14001680 08000100 03000000 08000300 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::3 encap seg6local action End.T table 0 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::3", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.T", "action": "End.T", "table": 0}, "dev": "v0"}]}

# no flavor at all: the kernel takes that and keeps it, so it is shown and read
> sid add fc00:1::3 End flavors 0x0 dev v0
x 58000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000003
x 18001680 08000100 01000000 0c000b80 08000100 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::3 encap seg6local action End flavors 0x0 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::3", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "flavors": []}, "dev": "v0"}]}

> sid add fc00:1::3 End flavors psp dev v0
x 58000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000003
x 18001680 08000100 01000000 0c000b80 08000100 02000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::3 encap seg6local action End flavors psp dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::3", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "flavors": ["psp"]}, "dev": "v0"}]}

> sid add fc00:1::4 End flavors next-csid lblen 48 nflen 16 dev v0
x 68000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000004
x 28001680 08000100 01000000 1c000b80 08000100 10000000 05000200 30000000 05000300 10000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::4 encap seg6local action End flavors next-csid lblen 48 nflen 16 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::4", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "flavors": ["next-csid"], "lblen": 48, "nflen": 16}, "dev": "v0"}]}

> sid add fc00:1::4 End flavors next-csid dev v0
x 58000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000004
x 18001680 08000100 01000000 0c000b80 08000100 10000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::4 encap seg6local action End flavors next-csid dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::4", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "flavors": ["next-csid"]}, "dev": "v0"}]}

> sid add fc00:1::4 End flavors psp,next-csid lblen 32 nflen 16 count dev v0
x 90000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000004
x 50001680 08000100 01000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000 1c000b80 08000100 12000000 05000200 20000000 05000300 10000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::4 encap seg6local action End count flavors psp,next-csid lblen 32 nflen 16 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::4", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "count": true, "flavors": ["psp", "next-csid"], "lblen": 32, "nflen": 16}, "dev": "v0"}]}

> sid add fc00:1::5 End.X nh6 2001:db8:0:1::2 dev v0
x 60000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000005
x 20001680 08000100 02000000 14000500 20010db8 00000001 00000000 00000002
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::5 encap seg6local action End.X nh6 2001:db8:0:1::2 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::5", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.X", "action": "End.X", "nh6": "2001:db8:0:1::2"}, "dev": "v0"}]}

> sid add fc00:1::6 End.X nh6 fe80::2 oif v0 dev v0
x 68000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000006
x 28001680 08000100 02000000 14000500 fe800000 00000000 00000000 00000002 08000700 0a000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::6 encap seg6local action End.X nh6 fe80::2 oif v0 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::6", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.X", "action": "End.X", "nh6": "fe80::2", "oif": "v0"}, "dev": "v0"}]}

> sid add fc00:1::6 End.X nh6 2001:db8:0:1::2 flavors next-csid lblen 32 nflen 32 dev v0
x 7c000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000006
x 3c001680 08000100 02000000 14000500 20010db8 00000001 00000000 00000002 1c000b80 08000100 10000000 05000200 20000000 05000300 20000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::6 encap seg6local action End.X nh6 2001:db8:0:1::2 flavors next-csid lblen 32 nflen 32 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::6", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.X", "action": "End.X", "nh6": "2001:db8:0:1::2", "flavors": ["next-csid"], "lblen": 32, "nflen": 32}, "dev": "v0"}]}

> sid add fc00:1::6 End.X nh6 2001:db8:0:1::2 oif v1 count flavors next-csid dev v0
x 9c000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000006
x 5c001680 08000100 02000000 14000500 20010db8 00000001 00000000 00000002 08000700 0b000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000 0c000b80 08000100 10000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::6 encap seg6local action End.X nh6 2001:db8:0:1::2 oif v1 count flavors next-csid dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::6", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.X", "action": "End.X", "nh6": "2001:db8:0:1::2", "oif": "v1", "count": true, "flavors": ["next-csid"]}, "dev": "v0"}]}

> sid add fc00:1::7 End.T table 100 dev v0
x 54000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000007
x 14001680 08000100 03000000 08000300 64000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::7 encap seg6local action End.T table 100 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::7", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.T", "action": "End.T", "table": 100}, "dev": "v0"}]}

> sid add fc00:1::7 End.T table main count dev v0
x 7c000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000007
x 3c001680 08000100 03000000 08000300 fe000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::7 encap seg6local action End.T table main count dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::7", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.T", "action": "End.T", "table": 254, "count": true}, "dev": "v0"}]}

> sid add fc00:1::8 End.DX2 oif v1 dev v0
x 54000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000008
x 14001680 08000100 04000000 08000700 0b000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::8 encap seg6local action End.DX2 oif v1 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::8", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DX2", "action": "End.DX2", "oif": "v1"}, "dev": "v0"}]}

> sid add fc00:1::8 End.DX2 oif v1 count dev v0
x 7c000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000008
x 3c001680 08000100 04000000 08000700 0b000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::8 encap seg6local action End.DX2 oif v1 count dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::8", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DX2", "action": "End.DX2", "oif": "v1", "count": true}, "dev": "v0"}]}

> sid add fc00:1::9 End.DX6 nh6 :: dev v0
x 60000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000009
x 20001680 08000100 05000000 14000500 00000000 00000000 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::9 encap seg6local action End.DX6 nh6 :: dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::9", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DX6", "action": "End.DX6", "nh6": "::"}, "dev": "v0"}]}

> sid add fc00:1::9 End.DX6 nh6 2001:db8:0:1::2 count dev v0
x 88000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000009
x 48001680 08000100 05000000 14000500 20010db8 00000001 00000000 00000002 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::9 encap seg6local action End.DX6 nh6 2001:db8:0:1::2 count dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::9", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DX6", "action": "End.DX6", "nh6": "2001:db8:0:1::2", "count": true}, "dev": "v0"}]}

> sid add fc00:1::a End.DX4 nh4 192.0.2.2 dev v0
x 54000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 0000000a
x 14001680 08000100 06000000 08000400 c0000202
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::a encap seg6local action End.DX4 nh4 192.0.2.2 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::a", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DX4", "action": "End.DX4", "nh4": "192.0.2.2"}, "dev": "v0"}]}

> sid add fc00:1::a End.DX4 nh4 0.0.0.0 count dev v0
x 7c000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 0000000a
x 3c001680 08000100 06000000 08000400 00000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::a encap seg6local action End.DX4 nh4 0.0.0.0 count dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::a", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DX4", "action": "End.DX4", "nh4": "0.0.0.0", "count": true}, "dev": "v0"}]}

# table and vrftable are two things, never swapped
> sid add fc00:1::b End.DT6 table 100 dev v0
x 54000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 0000000b
x 14001680 08000100 07000000 08000300 64000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::b encap seg6local action End.DT6 table 100 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::b", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DT6", "action": "End.DT6", "table": 100}, "dev": "v0"}]}

> sid add fc00:1::c End.DT6 vrftable 100 dev v0
x 54000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 0000000c
x 14001680 08000100 07000000 08000900 64000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::c encap seg6local action End.DT6 vrftable 100 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::c", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DT6", "action": "End.DT6", "vrftable": 100}, "dev": "v0"}]}

> sid add fc00:1::c End.DT6 vrftable 100 count dev v0
x 7c000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 0000000c
x 3c001680 08000100 07000000 08000900 64000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::c encap seg6local action End.DT6 vrftable 100 count dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::c", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DT6", "action": "End.DT6", "vrftable": 100, "count": true}, "dev": "v0"}]}

> sid add fc00:1::d End.DT4 vrftable 100 dev v0
x 54000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 0000000d
x 14001680 08000100 08000000 08000900 64000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::d encap seg6local action End.DT4 vrftable 100 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::d", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DT4", "action": "End.DT4", "vrftable": 100}, "dev": "v0"}]}

> sid add fc00:1::e End.DT46 vrftable 100 count dev v0
x 7c000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 0000000e
x 3c001680 08000100 10000000 08000900 64000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::e encap seg6local action End.DT46 vrftable 100 count dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::e", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DT46", "action": "End.DT46", "vrftable": 100, "count": true}, "dev": "v0"}]}

# End.B6 has the slot, End.B6.Encaps has not
> sid add fc00:1::f End.B6 srh segs fc00:5::1,fc00:6::1 dev v0
x 88000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 0000000f
x 48001680 08000100 09000000 3c000200 00060402 02000000 00000000 00000000 00000000 00000000 fc000006 00000000 00000000 00000001 fc000005 00000000 00000000 00000001
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::f encap seg6local action End.B6 srh segs fc00:5::1,fc00:6::1 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::f", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.B6", "action": "End.B6", "segs": ["fc00:5::1", "fc00:6::1"]}, "dev": "v0"}]}

> sid add fc00:1::10 End.B6.Encaps srh segs fc00:5::1,fc00:6::1 dev v0
x 78000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000010
x 38001680 08000100 0a000000 2c000200 00040401 01000000 fc000006 00000000 00000000 00000001 fc000005 00000000 00000000 00000001
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::10 encap seg6local action End.B6.Encaps srh segs fc00:5::1,fc00:6::1 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::10", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.B6.Encaps", "action": "End.B6.Encaps", "segs": ["fc00:5::1", "fc00:6::1"]}, "dev": "v0"}]}

> sid add fc00:1::10 End.B6.Encaps srh segs fc00:5::1 hmac 9 count dev v0
x b8000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000010
x 78001680 08000100 0a000000 44000200 00070400 00080000 fc000005 00000000 00000000 00000001 05260000 00000009 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 28000a80 0c000200 00000000 00000000 0c000300 00000000 00000000 0c000400 00000000 00000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::10 encap seg6local action End.B6.Encaps srh segs fc00:5::1 hmac 9 count dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::10", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.B6.Encaps", "action": "End.B6.Encaps", "segs": ["fc00:5::1"], "hmac": 9, "count": true}, "dev": "v0"}]}

> sid add fc00:1::10 End.B6 srh segs fc00:5::1 tag 7 dev v0
x 78000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000010
x 38001680 08000100 09000000 2c000200 00040401 01000007 00000000 00000000 00000000 00000000 fc000005 00000000 00000000 00000001
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::10 encap seg6local action End.B6 srh segs fc00:5::1 tag 7 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::10", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.B6", "action": "End.B6", "segs": ["fc00:5::1"], "tag": 7}, "dev": "v0"}]}

> route add fc00:1::1/128 encap seg6local action End dev v0
x 4c000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 00000001
x 0c001680 08000100 01000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::1 encap seg6local action End dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::1", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End"}, "dev": "v0"}]}

> sid add fc00:1:1::/48 End flavors next-csid dev v0
x 58000000 18000506 00000000 00000000
x 0a300000 fe030001 00000000
x 14000100 fc000001 00010000 00000000 00000000
x 18001680 08000100 01000000 0c000b80 08000100 10000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1:1::/48 encap seg6local action End flavors next-csid dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1:1::/48", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "flavors": ["next-csid"]}, "dev": "v0"}]}

# operators' names of compressed SIDs; 32 and 16 are the kernel's own
> sid add fcbb:bbbb:1::/48 uN dev v0
x 58000000 18000506 00000000 00000000
x 0a300000 fe030001 00000000
x 14000100 fcbbbbbb 00010000 00000000 00000000
x 18001680 08000100 01000000 0c000b80 08000100 10000000
x 06001500 07000000
x 08000400 0a000000
= route add fcbb:bbbb:1::/48 encap seg6local action End flavors next-csid dev v0
j {"object": "route", "verb": "add", "dst": "fcbb:bbbb:1::/48", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End", "flavors": ["next-csid"]}, "dev": "v0"}]}

> sid add fcbb:bbbb:1:e001::/64 uA nh6 2001:db8:0:1::2 dev v0
x 7c000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 fcbbbbbb 0001e001 00000000 00000000
x 3c001680 08000100 02000000 14000500 20010db8 00000001 00000000 00000002 1c000b80 08000100 10000000 05000200 20000000 05000300 20000000
x 06001500 07000000
x 08000400 0a000000
= route add fcbb:bbbb:1:e001::/64 encap seg6local action End.X nh6 2001:db8:0:1::2 flavors next-csid lblen 32 nflen 32 dev v0
j {"object": "route", "verb": "add", "dst": "fcbb:bbbb:1:e001::/64", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.X", "action": "End.X", "nh6": "2001:db8:0:1::2", "flavors": ["next-csid"], "lblen": 32, "nflen": 32}, "dev": "v0"}]}

> sid add fcbb:bbbb:1:d006::/64 uDT6 table 100 dev v0
x 54000000 18000506 00000000 00000000
x 0a400000 fe030001 00000000
x 14000100 fcbbbbbb 0001d006 00000000 00000000
x 14001680 08000100 07000000 08000300 64000000
x 06001500 07000000
x 08000400 0a000000
= route add fcbb:bbbb:1:d006::/64 encap seg6local action End.DT6 table 100 dev v0
j {"object": "route", "verb": "add", "dst": "fcbb:bbbb:1:d006::/64", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DT6", "action": "End.DT6", "table": 100}, "dev": "v0"}]}

> sid add fc00:1::e End.DT46 vrftable 100 dev v0
x 54000000 18000506 00000000 00000000
x 0a800000 fe030001 00000000
x 14000100 fc000001 00000000 00000000 0000000e
x 14001680 08000100 10000000 08000900 64000000
x 06001500 07000000
x 08000400 0a000000
= route add fc00:1::e encap seg6local action End.DT46 vrftable 100 dev v0
j {"object": "route", "verb": "add", "dst": "fc00:1::e", "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End.DT46", "action": "End.DT46", "vrftable": 100}, "dev": "v0"}]}

> sid add fc00:1::11/128 End dev v0 table 1000
x 54000000 18000506 00000000 00000000
x 0a800000 00030001 00000000
x 14000100 fc000001 00000000 00000000 00000011
x 0c001680 08000100 01000000
x 06001500 07000000
x 08000f00 e8030000
x 08000400 0a000000
= route add fc00:1::11 encap seg6local action End dev v0 table 1000
j {"object": "route", "verb": "add", "dst": "fc00:1::11", "table": 1000, "hops": [{"encap": {"encap_type": "seg6local", "behavior": "End", "action": "End"}, "dev": "v0"}]}

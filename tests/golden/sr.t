# the family's number is the kernel's own: 29 here stands for any
> tunsrc set fc00::1
x 28000000 1d000500 00000000 00000000
x 03010000
x 14000100 fc000000 00000000 00000000 00000001
= tunsrc set fc00::1
j {"object": "tunsrc", "verb": "set", "tunsrc": "fc00::1"}

// SPDX-License-Identifier: LGPL-2.1-or-later

// The Go netlink package's part of the benchmark: routes add|replace|del|list N DEV SID
package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netlink/nl"
)

func cpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// The package wants the segments in the order of the header, last first.
func route(i int, link int, sid byte, encap bool) *netlink.Route {
	dst := net.IP{0xfd, 0, 0, 0, byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i), 0, 0, 0, 0, 0, 0, 0, 0}
	r := &netlink.Route{LinkIndex: link, Dst: &net.IPNet{IP: dst, Mask: net.CIDRMask(64, 128)}}
	if encap {
		r.Encap = &netlink.SEG6Encap{Mode: nl.SEG6_IPTUN_MODE_ENCAP, Segments: []net.IP{
			net.ParseIP(fmt.Sprintf("fc00:3::%x", sid)), net.ParseIP("fc00:2::2"), net.ParseIP("fc00:1::1")}}
	}
	return r
}

func change(h *netlink.Handle, step string, n int, link int, sid byte) (int, error) {
	do := map[string]func(*netlink.Route) error{"add": h.RouteAdd, "replace": h.RouteReplace, "del": h.RouteDel}[step]
	for i := 0; i < n; i++ {
		err := do(route(i, link, sid, step != "del"))
		for err == syscall.ENOMEM { // a burst sees it now and then
			err = do(route(i, link, sid, step != "del"))
		}
		if err != nil {
			return i, err
		}
	}
	return n, nil
}

func list(h *netlink.Handle) (int, error) {
	routes, err := h.RouteList(nil, netlink.FAMILY_V6)
	seen := 0
	for _, r := range routes {
		if e, ok := r.Encap.(*netlink.SEG6Encap); ok && len(e.Segments) == 3 {
			seen++
		}
	}
	return seen, err
}

func main() {
	n, _ := strconv.Atoi(os.Args[2])
	sid, _ := strconv.Atoi(os.Args[4])
	h, err := netlink.NewHandle()
	if err != nil {
		panic(err)
	}
	link, err := netlink.LinkByName(os.Args[3])
	if err != nil {
		panic(err)
	}
	start, begin, done := time.Now(), cpu(), 0
	if os.Args[1] == "list" {
		done, err = list(h)
	} else {
		done, err = change(h, os.Args[1], n, link.Attrs().Index, byte(sid))
	}
	if err != nil || done < n {
		fmt.Fprintln(os.Stderr, "routes:", done, err)
		os.Exit(1)
	}
	fmt.Printf("{\"step\":%q,\"n\":%d,\"wall\":%f,\"cpu\":%f}\n", os.Args[1], done, time.Since(start).Seconds(), cpu()-begin)
}

/* SPDX-License-Identifier: GPL-2.0 */
/* The switch: declarations that switch.c (links, forwarding) and swsma.c (management agent) share. */
#ifndef SOFTHCA_SWITCH_H
#define SOFTHCA_SWITCH_H
#include "softhca.h"

#define SH_SW_PORTS (SH_MAX_HCA * SH_MAX_PORT)
#define SH_SW_GUID 0x0002c902ffff0000ULL
#define SH_SW_LFT 0xc000 /* entries of the linear forwarding table: all unicast LIDs */
#define SH_SW_MFT 1024	 /* of the multicast one: LIDs 0xc000 and up */
#define SH_SW_PKEYS 32

struct sh_sw_port {
	enum ib_port_state state;
	enum ib_mtu mtu;
	bool disabled;
	struct ib_port_info info;
	u8 sl2vl[SH_SW_PORTS + 1][8], vlarb[4][64];
};

struct sh_switch {
	u16 lid, sm_lid;
	bool changed; /* PortStateChange: a link changed since a subnet manager cleared the bit */
	u16 lft_top, mft_top;
	u8 default_port, mcast_primary, mcast_other, lifetime;
	u16 pkey[SH_SW_PKEYS];
	struct sh_sw_port port[SH_SW_PORTS + 1]; /* 0: the switch itself */
	u8 lft[SH_SW_LFT];
	u32 mft[SH_SW_MFT]; /* a bit for each port */
};

extern struct sh_switch sh_sw;

/* switch.c */
struct sh_port *sh_switch_peer(u32 port);
void sh_switch_enable(u32 port, bool on);
void sh_switch_retrain(u32 port);

/* swsma.c */
bool sh_switch_sma(struct ib_smp *s, u32 in);
#endif

// SPDX-License-Identifier: GPL-2.0
/*
 * Ethernet (RoCE) ports: a port with an Ethernet netdev of its own. All these netdevs are on one Ethernet
 * segment; the kernel fills the GID tables from their addresses. RDMA traffic does not pass. Serves
 * port.c and hca.c; get_link_layer, add_gid and del_gid.
 */
#include "softhca.h"
#include <linux/etherdevice.h>
#include <net/dcbnl.h>
#include <rdma/ib_addr.h>

static uint eth[SH_MAX_HCA];
static int neth = 1;
module_param_array(eth, uint, &neth, 0444);
MODULE_PARM_DESC(eth, "which ports of the HCA are Ethernet: 1 the first, 2 the second, 3 both");

static uint roce[SH_MAX_HCA] = { 3 };
static int nroce = 1;
module_param_array(roce, uint, &nroce, 0444);
MODULE_PARM_DESC(roce, "RoCE versions of Ethernet ports: 1 version 1, 2 version 2, 3 both");

static struct net_device *segment[SH_MAX_HCA * SH_MAX_PORT];

struct priv {
	struct sh_port *port;
	struct ieee_pfc pfc;
	struct ethtool_pauseparam pause;
};

int sh_eth_check(void)
{
	int i;

	for (i = 0; i < SH_MAX_HCA; i++)
		if (SH_KNOB(eth, i) > 3 || SH_KNOB(roce, i) < 1 || SH_KNOB(roce, i) > 3) {
			pr_err("softhca: HCA %d: eth: 0 to 3; roce: 1 to 3\n", i);
			return -EINVAL;
		}
	return 0;
}

bool sh_eth_wanted(int index, int i)
{
	return SH_KNOB(eth, index) & BIT(i);
}

u32 sh_eth_caps(const struct sh_port *p)
{
	uint versions = SH_KNOB(roce, p->dev->index);

	return (versions & 1 ? RDMA_CORE_PORT_IBA_ROCE : 0) |
	       (versions & 2 ? RDMA_CORE_PORT_IBA_ROCE_UDP_ENCAP : 0);
}

static void raise_event(struct sh_port *p)
{
	if (READ_ONCE(p->dev->live))
		sh_port_event(p, netif_running(p->netdev) && netif_carrier_ok(p->netdev)
					 ? IB_EVENT_PORT_ACTIVE
					 : IB_EVENT_PORT_ERR);
}

static int eth_open(struct net_device *n)
{
	netif_start_queue(n);
	raise_event(((struct priv *)netdev_priv(n))->port);
	return 0;
}

static int eth_stop(struct net_device *n)
{
	netif_stop_queue(n);
	raise_event(((struct priv *)netdev_priv(n))->port);
	return 0;
}

/* Sends to the port with that address; without such a port, to all others. */
static netdev_tx_t eth_xmit(struct sk_buff *skb, struct net_device *n)
{
	const u8 *to = eth_hdr(skb)->h_dest;
	struct net_device *only = NULL, *other;
	struct sk_buff *copy;
	int i;

	skb_tx_timestamp(skb);
	n->stats.tx_packets++;
	n->stats.tx_bytes += skb->len;
	for (i = 0; i < ARRAY_SIZE(segment); i++) {
		other = READ_ONCE(segment[i]);
		if (other && ether_addr_equal(to, other->dev_addr))
			only = other;
	}
	for (i = 0; i < ARRAY_SIZE(segment); i++) {
		other = READ_ONCE(segment[i]);
		if (!other || other == n || (only && other != only) || !netif_carrier_ok(other))
			continue;
		copy = skb_clone(skb, GFP_ATOMIC);
		if (!copy)
			continue;
		other->stats.rx_packets++;
		other->stats.rx_bytes += skb->len;
		dev_forward_skb(other, copy);
	}
	consume_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops eth_ops = {
	.ndo_open = eth_open,
	.ndo_stop = eth_stop,
	.ndo_start_xmit = eth_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static int link_settings(struct net_device *n, struct ethtool_link_ksettings *s)
{
	s->base.speed = SPEED_40000;
	s->base.duplex = DUPLEX_FULL;
	s->base.port = PORT_FIBRE;
	return 0;
}

static void get_pause(struct net_device *n, struct ethtool_pauseparam *pause)
{
	*pause = ((struct priv *)netdev_priv(n))->pause;
}

static int set_pause(struct net_device *n, struct ethtool_pauseparam *pause)
{
	((struct priv *)netdev_priv(n))->pause = *pause;
	return 0;
}

static const struct ethtool_ops eth_tool_ops = {
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = link_settings,
	.get_pauseparam = get_pause,
	.set_pauseparam = set_pause,
};

static int get_pfc(struct net_device *n, struct ieee_pfc *pfc)
{
	*pfc = ((struct priv *)netdev_priv(n))->pfc;
	return 0;
}

static int set_pfc(struct net_device *n, struct ieee_pfc *pfc)
{
	((struct priv *)netdev_priv(n))->pfc = *pfc;
	return 0;
}

static u8 get_dcbx(struct net_device *n)
{
	return DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;
}

/* The kernel keeps the application table. */
static const struct dcbnl_rtnl_ops dcb_ops = {
	.ieee_getpfc = get_pfc,
	.ieee_setpfc = set_pfc,
	.getdcbx = get_dcbx,
};

/* The address is the port GUID without its middle, as Mellanox builds GUIDs from addresses. */
int sh_eth_add(struct sh_port *p)
{
	u8 address[ETH_ALEN] = { p->guid >> 56, p->guid >> 48, p->guid >> 40,
				 p->guid >> 16, p->guid >> 8,  p->guid };
	struct net_device *n = alloc_etherdev(sizeof(struct priv));
	int r;

	if (!n)
		return -ENOMEM;
	((struct priv *)netdev_priv(n))->port = p;
	((struct priv *)netdev_priv(n))->pfc.pfc_cap = IEEE_8021QAZ_MAX_TCS;
	n->netdev_ops = &eth_ops;
	n->ethtool_ops = &eth_tool_ops;
	n->dcbnl_ops = &dcb_ops;
	n->dev_port = p->num - 1;
	n->min_mtu = ETH_MIN_MTU;
	n->max_mtu = 9000;
	SET_NETDEV_DEV(n, &p->dev->pdev->dev);
	eth_hw_addr_set(n, address);
	p->netdev = n;
	r = register_netdev(n);
	if (!r)
		r = ib_device_set_netdev(&p->dev->ib, n, p->num);
	if (r) {
		sh_eth_del(p);
		return r;
	}
	WRITE_ONCE(segment[sh_switch_port(p) - 1], n);
	return 0;
}

void sh_eth_del(struct sh_port *p)
{
	if (!p->netdev)
		return;
	WRITE_ONCE(segment[sh_switch_port(p) - 1], NULL);
	ib_device_set_netdev(&p->dev->ib, NULL, p->num);
	if (p->netdev->reg_state == NETREG_REGISTERED)
		unregister_netdev(p->netdev); /* waits until no other netdev sends to it */
	free_netdev(p->netdev);
	p->netdev = NULL;
}

void sh_eth_carrier(struct sh_port *p, bool on)
{
	if (on)
		netif_carrier_on(p->netdev);
	else
		netif_carrier_off(p->netdev);
	raise_event(p);
}

void sh_eth_query(struct sh_port *p, struct ib_port_attr *a)
{
	bool up = p->netdev && netif_running(p->netdev) && netif_carrier_ok(p->netdev);

	a->state = up ? IB_PORT_ACTIVE : IB_PORT_DOWN;
	a->phys_state = up ? IB_PORT_PHYS_STATE_LINK_UP : IB_PORT_PHYS_STATE_DISABLED;
	a->max_mtu = IB_MTU_4096;
	a->active_mtu = p->netdev ? iboe_get_mtu(p->netdev->mtu) : IB_MTU_1024;
	a->gid_tbl_len = SH_MAX_GID;
	a->pkey_tbl_len = p->pkey_len;
	a->port_cap_flags = IB_PORT_CM_SUP;
	a->ip_gids = true;
	a->max_msg_sz = 1 << 30;
	a->max_vl_num = 1;
	a->active_width = IB_WIDTH_4X;
	a->active_speed = IB_SPEED_QDR;
}

/* The kernel keeps the table; softhca needs no copy. */
int sh_add_gid(const struct ib_gid_attr *attr, void **context)
{
	return 0;
}

int sh_del_gid(const struct ib_gid_attr *attr, void **context)
{
	return 0;
}

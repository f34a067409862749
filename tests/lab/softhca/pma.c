// SPDX-License-Identifier: GPL-2.0
/*
 * Port counters, as perfquery reads them (IBA 16.1). Serves process_mad through smp.c.
 */
#include "softhca.h"

static u32 sat32(u64 v)
{
	return v > U32_MAX ? U32_MAX : v;
}

int sh_pma(struct sh_dev *d, u32 n, struct ib_pma_mad *m)
{
	struct sh_port *p = &d->port[n - 1];

	if (m->mad_hdr.method != IB_MGMT_METHOD_GET)
		return IB_MAD_RESULT_SUCCESS;
	memset(m->data, 0, sizeof(m->data));
	switch (m->mad_hdr.attr_id) {
	case IB_PMA_CLASS_PORT_INFO: {
		struct ib_class_port_info *c = (void *)m->data;

		c->base_version = c->class_version = 1;
		c->capability_mask = IB_PMA_CLASS_CAP_EXT_WIDTH;
		break;
	}
	case IB_PMA_PORT_COUNTERS: {
		struct ib_pma_portcounters *c = (void *)m->data;

		c->port_select = n;
		c->port_xmit_data = cpu_to_be32(sat32(atomic64_read(&p->tx_bytes) / 4));
		c->port_rcv_data = cpu_to_be32(sat32(atomic64_read(&p->rx_bytes) / 4));
		c->port_xmit_packets = cpu_to_be32(sat32(atomic64_read(&p->tx_pkts)));
		c->port_rcv_packets = cpu_to_be32(sat32(atomic64_read(&p->rx_pkts)));
		break;
	}
	case IB_PMA_PORT_COUNTERS_EXT: {
		struct ib_pma_portcounters_ext *c = (void *)m->data;

		c->port_select = n;
		c->port_xmit_data = cpu_to_be64(atomic64_read(&p->tx_bytes) / 4);
		c->port_rcv_data = cpu_to_be64(atomic64_read(&p->rx_bytes) / 4);
		c->port_xmit_packets = cpu_to_be64(atomic64_read(&p->tx_pkts));
		c->port_rcv_packets = cpu_to_be64(atomic64_read(&p->rx_pkts));
		break;
	}
	default:
		m->mad_hdr.status = cpu_to_be16(IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB);
	}
	m->mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}

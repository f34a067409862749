// SPDX-License-Identifier: GPL-2.0
/*
 * Unreliable datagrams, plain and large send. Serves the send queues of UD and MAD queue pairs.
 */
#include "softhca.h"

enum ib_wc_status sh_send_ud(struct sh_qp *qp, struct sh_swqe *e, u32 *sent)
{
	struct sh_port *port = qp->port;
	u32 len = sh_sge_len(e->sge, e->num_sge), mtu;
	struct sh_pkt p = {};
	u16 pidx;

	if (!port)
		return IB_WC_LOC_QP_OP_ERR;
	mtu = ib_mtu_enum_to_int(port->active_mtu);
	pidx = qp->ib.qp_type == IB_QPT_UD ? qp->attr.pkey_index : e->pkey_index;
	if (pidx >= port->pkey_len)
		return IB_WC_LOC_QP_OP_ERR;
	p.pkey = port->pkey[pidx];
	p.slid = port->lid;
	p.dlid = rdma_ah_get_dlid(&e->ah);
	p.sl = rdma_ah_get_sl(&e->ah);
	p.sqpn = qp->ib.qp_num;
	p.dqpn = e->rqpn;
	p.qkey = e->rqkey & IB_QP_SET_QKEY ? qp->attr.qkey : e->rqkey;
	if (qp->ib.qp_num == 1)
		p.qkey = IB_QP1_QKEY;
	p.solicited = e->flags & IB_SEND_SOLICITED;
	if (e->opcode == IB_WR_SEND_WITH_IMM) {
		p.has_imm = true;
		p.imm = e->imm;
	}
	if (rdma_ah_get_ah_flags(&e->ah) & IB_AH_GRH) {
		const struct ib_global_route *g = &e->ah.grh;

		p.has_grh = true;
		p.grh.version_tclass_flow = cpu_to_be32(6 << 28 | g->traffic_class << 20 | g->flow_label);
		p.grh.next_hdr = 0x1b;
		p.grh.hop_limit = g->hop_limit;
		p.grh.dgid = g->dgid;
		p.grh.sgid.global.subnet_prefix = cpu_to_be64(port->prefix);
		p.grh.sgid.global.interface_id =
			cpu_to_be64(port->gid_id[g->sgid_index < SH_MAX_GID ? g->sgid_index : 0]);
	}
	p.data = qp->buf;
	*sent = len;
	if (e->opcode != IB_WR_LSO) {
		if (len > mtu)
			return IB_WC_LOC_LEN_ERR;
		sh_gather(qp->buf, e->sge, 0, len);
		if (e->flags & IB_SEND_IP_CSUM)
			p.csum_ok = sh_csum(qp->buf, len);
		p.len = len;
		p.grh.paylen = cpu_to_be16(len);
		sh_wire(qp, port, &p);
		return IB_WC_SUCCESS;
	}
	*sent += e->hlen;
	return sh_segment(qp, port, &p, e->hdr, e->hlen, e->sge, len, e->mss) ? IB_WC_LOC_LEN_ERR
									      : IB_WC_SUCCESS;
}

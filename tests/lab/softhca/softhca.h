/* SPDX-License-Identifier: GPL-2.0 */
/*
 * softhca: software InfiniBand HCAs and their subnet. The declarations that its files share.
 *
 * From the outside in: pci.c shows PCI functions; each becomes an HCA (hca.c) with ports (port.c). Consumers
 * make queue pairs (qp.c) with completion, send and receive queues (cq.c, sq.c, rq.c). A send queue's worker
 * makes packets (ud.c, offload.c) or copies messages (rc.c); wire.c and mcast.c take packets to their
 * receivers. All ports are linked to one switch (switch.c). With sm=builtin, the switch has LID SH_SM_LID, a
 * subnet manager and a subnet administrator (sa.c, mcgroup.c).
 */
#ifndef SOFTHCA_H
#define SOFTHCA_H
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/kref.h>
#include <linux/completion.h>
#include <linux/workqueue.h>
#include <linux/vmalloc.h>
#include <linux/xarray.h>
#include <linux/random.h>
#include <linux/version.h>
#include <rdma/ib_verbs.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_sa.h>
#include <rdma/ib_smi.h>
#include <rdma/ib_pma.h>

#define SH_MAX_HCA 8
#define SH_MAX_PORT 2
#define SH_MAX_SGE 32
#define SH_MAX_PKEY 2048
#define SH_MAX_GID 16
#define SH_MAX_VF 16
#define SH_GRH 40
#define SH_UD_MAX 4096
#define SH_SM_LID 0x0fff /* of the built-in subnet manager, at the switch */
#define SH_FAN 128

struct sh_dev;
struct sh_pkt;

struct sh_port {
	struct sh_dev *dev;
	u32 num;
	u16 lid, sm_lid;
	enum ib_port_state state;
	enum ib_mtu max_mtu, active_mtu;
	u64 prefix, guid;
	u16 pkey_len;
	u16 pkey[SH_MAX_PKEY];
	u64 gid_id[SH_MAX_GID];
	u32 caps;		  /* capability bits that user space has set: IsSM */
	struct ib_port_info info; /* set by a subnet manager; without the fields above */
	u8 sl2vl[8], vlarb[4][64];
	struct sh_qp *sqp[2]; /* QP0, QP1 (under sh_qp_lock) */
	bool refuses_connected;
	bool eth; /* Ethernet: state and all InfiniBand fields stay zero */
	struct net_device *netdev;
	atomic64_t tx_pkts, tx_bytes, rx_pkts, rx_bytes, rx_drop;
	u16 errors[4]; /* in the order of CounterSelect: symbol, recovery, downed, receive */
	bool plane;    /* of the HCA before: only for subnet management */
};

struct sh_vf {
	u64 node_guid, port_guid;
	int link;
};

struct sh_dev {
	struct ib_device ib;
	struct ib_device_attr attr; /* kept because ib_core clears ib.attrs and queries again */
	int index;
	struct pci_dev *pdev;
	u32 nports;
	bool enhanced, live; /* live: registered */
	struct sh_port port[SH_MAX_PORT];
	struct sh_vf vf[SH_MAX_VF][SH_MAX_PORT];
};

struct sh_pd {
	struct ib_pd ib;
};
struct sh_ah {
	struct ib_ah ib;
	struct rdma_ah_attr attr;
};
struct sh_mr {
	struct ib_mr ib;
};

struct sh_cq {
	struct ib_cq ib;
	spinlock_t lock;
	u32 size, head, count;
	int notify;
	struct ib_wc *ring;
};

struct sh_rwqe {
	u64 wr_id;
	int num_sge;
	struct ib_sge sge[SH_MAX_SGE];
};
struct sh_rq { /* receive queue of a QP, or an SRQ */
	spinlock_t lock;
	u32 size, head, count, limit;
	struct sh_rwqe *ring;
};
struct sh_srq {
	struct ib_srq ib;
	struct sh_rq rq;
};

struct sh_swqe {
	u64 wr_id;
	enum ib_wr_opcode opcode;
	int flags, num_sge;
	__be32 imm;
	/* UD */
	struct rdma_ah_attr ah; /* sgid_attr not referenced, only the indices */
	u32 rqpn, rqkey;
	u16 pkey_index;
	void *hdr;
	int hlen, mss;
	struct ib_sge sge[SH_MAX_SGE];
};

struct sh_qp {
	struct ib_qp ib;
	struct kref ref;
	struct completion gone;
	struct sh_dev *dev;
	enum ib_qp_state state;
	struct ib_qp_attr attr;
	struct ib_qp_init_attr init;
	struct sh_port *port;
	bool last_wqe_sent;
	int retries;
	/* send side */
	spinlock_t sq_lock;
	u32 sq_size, sq_head, sq_count;
	struct sh_swqe *sq;
	struct delayed_work work;
	u8 *buf;		   /* one linear UD packet: worker only */
	struct sh_qp *fan[SH_FAN]; /* worker only */
	/* receive side */
	struct sh_rq rq;
	void (*rx)(struct sh_qp *qp, const struct sh_pkt *p);
	void *rx_priv;
};

#define to_dev(x) container_of(x, struct sh_dev, ib)
#define to_cq(x) container_of(x, struct sh_cq, ib)
#define to_qp(x) container_of(x, struct sh_qp, ib)
#define to_srq(x) container_of(x, struct sh_srq, ib)
#define to_ah(x) container_of(x, struct sh_ah, ib)

/* a packet on the "wire" */
struct sh_pkt {
	u16 slid, dlid, pkey;
	u8 sl;
	u32 sqpn, dqpn, qkey;
	bool has_grh, solicited, csum_ok, has_imm;
	__be32 imm;
	struct ib_grh grh;
	const u8 *data;
	u32 len;
};

/* the value of a per-HCA knob: the last value is used for all further HCAs */
#define SH_KNOB(array, i) ((array)[min_t(int, (i), n##array - 1)])

/* a send that must be retried */
#define SH_AGAIN ((enum ib_wc_status) - 1)

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define sh_cq_udata ib_udata
#else
#define sh_cq_udata uverbs_attr_bundle
#endif

/* position in a scatter list */
struct sh_cursor {
	const struct ib_sge *sge;
	int left;
	u32 off;
};

/* MCMemberRecord on the wire (IBA 15.2.5.17) */
struct sh_wire_mcm {
	u8 mgid[16], port_gid[16];
	__be32 qkey;
	__be16 mlid;
	u8 mtu, tclass;
	__be16 pkey;
	u8 rate, plt;
	__be32 sl_flow_hop;
	u8 scope_join, proxy, resv[22];
} __packed;

/* main.c */
extern struct workqueue_struct *sh_wq;

/* hca.c */
extern struct sh_dev *sh_devs[SH_MAX_HCA];
extern struct mutex sh_devs_lock;
int sh_hca_check(void);
int sh_hca_count(void);
__be64 sh_node_guid(int index);
int sh_dev_add(int index, struct pci_dev *pdev, const struct sh_vf *virtual);
void sh_dev_del(struct sh_dev *d);
struct sh_dev *sh_dev_by_name(const char *wanted);

/* attrs.c */
extern const struct attribute_group sh_attrs;

/* pci.c, pcicfg.c */
extern struct pci_ops sh_pcicfg_ops;
int sh_pci_init(void);
void sh_pci_exit(void);
int sh_pcicfg_init(void);
struct pci_device_id sh_pci_id(int i);
struct pci_device_id sh_pci_vf_id(int i);
int sh_pci_vf_owner(const struct pci_dev *pdev);
void sh_pci_identity(int i, u32 *part, u32 *hw_rev);

/* port.c */
int sh_port_check(void);
unsigned int sh_port_count(int index);
unsigned int sh_port_pkey_len(void);
bool sh_port_is_plane(int index);
void sh_port_setup(struct sh_dev *d, int i);
void sh_port_of_vf(struct sh_port *p, u64 guid);
struct sh_port *sh_port_by_lid(u16 lid);
struct sh_port *sh_port_by_gid(const union ib_gid *gid);
void sh_port_event(struct sh_port *p, enum ib_event_type t);
bool sh_pkey_match(u16 a, u16 b);
bool sh_port_has_pkey(struct sh_port *p, u16 pkey, u16 *idx);
int sh_query_port(struct ib_device *ib, u32 n, struct ib_port_attr *a);
int sh_immutable(struct ib_device *ib, u32 n, struct ib_port_immutable *im);
enum rdma_link_layer sh_link_layer(struct ib_device *ib, u32 n);
int sh_query_gid(struct ib_device *ib, u32 n, int i, union ib_gid *g);
int sh_query_pkey(struct ib_device *ib, u32 n, u16 i, u16 *k);
int sh_modify_port(struct ib_device *ib, u32 n, int mask, struct ib_port_modify *m);

/* firmware.c */
void sh_firmware_request(void);

/* memory.c */
int sh_alloc_pd(struct ib_pd *pd, struct ib_udata *u);
int sh_dealloc_pd(struct ib_pd *pd, struct ib_udata *u);
int sh_create_ah(struct ib_ah *ah, struct rdma_ah_init_attr *a, struct ib_udata *u);
int sh_query_ah(struct ib_ah *ah, struct rdma_ah_attr *a);
int sh_destroy_ah(struct ib_ah *ah, u32 flags);
struct ib_mr *sh_get_dma_mr(struct ib_pd *pd, int acc);
struct ib_mr *sh_reg_user_mr(struct ib_pd *pd, u64 s, u64 l, u64 v, int acc, struct ib_udata *u);
int sh_dereg_mr(struct ib_mr *mr, struct ib_udata *u);

/* cq.c */
int sh_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *a, struct sh_cq_udata *u);
int sh_destroy_cq(struct ib_cq *ib, struct ib_udata *u);
int sh_poll_cq(struct ib_cq *ib, int n, struct ib_wc *wc);
int sh_req_notify(struct ib_cq *ib, enum ib_cq_notify_flags f);
void sh_cq_push(struct sh_cq *cq, const struct ib_wc *wc, bool solicited);
void sh_cq_purge(struct sh_cq *cq, struct sh_qp *qp);

/* rq.c */
int sh_rq_init(struct sh_rq *rq, u32 size);
int sh_rq_post(struct sh_rq *rq, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
bool sh_rq_pop(struct sh_rq *rq, struct sh_rwqe *e);
int sh_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *a, struct ib_udata *u);
int sh_modify_srq(struct ib_srq *ib, struct ib_srq_attr *a, enum ib_srq_attr_mask m, struct ib_udata *u);
int sh_query_srq(struct ib_srq *ib, struct ib_srq_attr *a);
int sh_destroy_srq(struct ib_srq *ib, struct ib_udata *u);
int sh_post_srq_recv(struct ib_srq *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);

/* sge.c */
void sh_gather(u8 *to, const struct ib_sge *sge, u32 off, u32 len);
u32 sh_scatter(struct sh_cursor *c, const u8 *from, u32 len);
u32 sh_sge_len(const struct ib_sge *s, int n);

/* qp.c */
extern rwlock_t sh_qp_lock; /* protects the table of queue pairs and the multicast groups */
void sh_qp_init(void);
struct sh_qp *sh_qp_find(struct sh_port *port, u32 qpn);
void sh_qp_put(struct sh_qp *qp);
int sh_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *a, struct ib_udata *u);
int sh_destroy_qp(struct ib_qp *ib, struct ib_udata *u);
int sh_modify_qp(struct ib_qp *ib, struct ib_qp_attr *a, int mask, struct ib_udata *u);
int sh_query_qp(struct ib_qp *ib, struct ib_qp_attr *a, int mask, struct ib_qp_init_attr *i);
int sh_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
int sh_raw_qp_add(struct sh_qp *qp);
void sh_raw_qp_del(struct sh_qp *qp);

/* sq.c */
int sh_post_send(struct ib_qp *ib, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
void sh_send_work(struct work_struct *w);

/* ud.c, rc.c, offload.c */
enum ib_wc_status sh_send_ud(struct sh_qp *qp, struct sh_swqe *e, u32 *sent);
enum ib_wc_status sh_send_rc(struct sh_qp *qp, struct sh_swqe *e, u32 *sent);
bool sh_csum(u8 *buf, u32 len);
int sh_segment(struct sh_qp *qp, struct sh_port *port, struct sh_pkt *p, const void *hdr, u32 hlen,
	       const struct ib_sge *sge, u32 len, u32 mss);

/* wire.c, mcast.c */
int sh_deliver(struct sh_port *dst, struct sh_qp *qp, const struct sh_pkt *p);
void sh_wire(struct sh_qp *qp, struct sh_port *port, struct sh_pkt *p);
int sh_attach(struct ib_qp *ib, union ib_gid *gid, u16 lid);
int sh_detach(struct ib_qp *ib, union ib_gid *gid, u16 lid);
void sh_mcast_forget(struct sh_qp *qp);
void sh_multicast(struct sh_qp *from, struct sh_port *port, const struct sh_pkt *p);

/* netdev.c */
int sh_netdev_params(struct ib_device *ib, u32 port, enum rdma_netdev_t type,
		     struct rdma_netdev_alloc_params *params);

/* ethernet.c */
int sh_eth_check(void);
bool sh_eth_wanted(int index, int i);
u32 sh_eth_caps(const struct sh_port *p);
int sh_eth_add(struct sh_port *p);
void sh_eth_del(struct sh_port *p);
void sh_eth_carrier(struct sh_port *p, bool on);
void sh_eth_query(struct sh_port *p, struct ib_port_attr *a);
int sh_add_gid(const struct ib_gid_attr *attr, void **context);
int sh_del_gid(const struct ib_gid_attr *attr, void **context);

/* refusal.c */
int sh_refusal_set(struct sh_port *p, bool refuses);
void sh_refusal_exit(void);

/* sa.c, mcgroup.c */
bool sh_sa_answers(void);
void sh_sa_receive(struct sh_port *from, const struct sh_pkt *p);
__be16 sh_mcgroup_request(struct sh_port *from, u8 method, ib_sa_comp_mask mask, struct sh_wire_mcm *w);
bool sh_mcgroup_receives(struct sh_port *port, const union ib_gid *mgid);
void sh_mcgroup_leave(struct sh_port *port);
void sh_mcgroup_exit(void);

/* status of a subnet administrator's reply (IBA 15.4.1) */
#define SH_SA_NO_RESOURCES cpu_to_be16(0x0100)
#define SH_SA_INVALID cpu_to_be16(0x0200)
#define SH_SA_NO_RECORDS cpu_to_be16(0x0300)
#define SH_SA_UNSUPPORTED cpu_to_be16(0x000c)

/* switch.c */
bool sh_sm_builtin(void);
bool sh_switch_has_lid(u16 lid);
int sh_switch_check(void);
void sh_switch_exit(void);
u16 sh_switch_port(const struct sh_port *p);
struct sh_port *sh_route(struct sh_port *from, u16 lid);
bool sh_switch_floods(u16 mlid, const struct sh_port *to);
void sh_link_changed(struct sh_port *p);
void sh_smp_wire(struct sh_port *from, const struct sh_pkt *p);

/* portinfo.c */
#define SH_PORT_CAPS (IB_PORT_SYS_IMAGE_GUID_SUP | IB_PORT_CM_SUP | IB_PORT_CLIENT_REG_SUP)
void sh_portinfo_init(struct ib_port_info *pi, enum ib_mtu max);
void sh_portinfo_store(struct ib_port_info *to, const struct ib_port_info *from);
void sh_portinfo_state(struct ib_port_info *pi, enum ib_port_state state, enum ib_mtu mtu);
bool sh_port_next_state(enum ib_port_state have, u8 want, enum ib_port_state *next);
void sh_portinfo_get(struct sh_port *p, u32 through, struct ib_port_info *pi);
__be16 sh_portinfo_set(struct sh_port *p, const struct ib_port_info *want);

/* smp.c, smpset.c, pma.c */
#define SH_SMP_UNSUPPORTED cpu_to_be16(IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB)
#define SH_SMP_INVALID cpu_to_be16(IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE)
__be16 sh_smp_set(struct sh_dev *d, u32 n, const struct ib_smp *s);
int sh_process_mad(struct ib_device *ib, int flags, u32 port, const struct ib_wc *wc,
		   const struct ib_grh *grh, const struct ib_mad *in, struct ib_mad *out, size_t *out_size,
		   u16 *out_pkey);
int sh_pma(struct sh_dev *d, u32 n, struct ib_pma_mad *m);
void sh_switch_pma(struct sh_port *from, const struct sh_pkt *p);

/* vf.c */
int sh_vf_add(struct pci_dev *pdev);
int sh_set_vf_link(struct ib_device *ib, int vf, u32 port, int st);
int sh_get_vf_config(struct ib_device *ib, int vf, u32 port, struct ifla_vf_info *i);
int sh_get_vf_stats(struct ib_device *ib, int vf, u32 port, struct ifla_vf_stats *s);
int sh_get_vf_guid(struct ib_device *ib, int vf, u32 port, struct ifla_vf_guid *node,
		   struct ifla_vf_guid *pg);
int sh_set_vf_guid(struct ib_device *ib, int vf, u32 port, u64 guid, int type);

#endif

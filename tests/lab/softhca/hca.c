// SPDX-License-Identifier: GPL-2.0
/*
 * The HCAs: the properties from the knobs, and registration as an ib_device.
 * Serves ib_register_device(), query_device, modify_device and the table of all verbs.
 */
#include "softhca.h"

static char *name[SH_MAX_HCA] = { "mlx4_0" };
static int nname = 1;
module_param_array(name, charp, &nname, 0444);
MODULE_PARM_DESC(name, "ib_device names, one HCA each");

static ulong guid[SH_MAX_HCA] = { 0x0002c903000a0000UL };
static int nguid = 1;
module_param_array(guid, ulong, &nguid, 0444);
MODULE_PARM_DESC(guid, "node GUIDs; the ports are +1, +2; an HCA without one: that of the HCA before, +0x10");

static bool enhanced[SH_MAX_HCA];
static int nenhanced = 1;
module_param_array(enhanced, bool, &nenhanced, 0444);
MODULE_PARM_DESC(enhanced, "the HCA brings its own IPoIB netdev, as mlx5 does: no connected mode");

static bool csum[SH_MAX_HCA] = { true };
static int ncsum = 1;
module_param_array(csum, bool, &ncsum, 0444);
MODULE_PARM_DESC(csum, "offer checksum offload");

static bool lso[SH_MAX_HCA] = { true };
static int nlso = 1;
module_param_array(lso, bool, &nlso, 0444);
MODULE_PARM_DESC(lso, "offer large send offload (TSO); needs csum");

static bool vf[SH_MAX_HCA];
static int nvf = 1;
module_param_array(vf, bool, &nvf, 0444);
MODULE_PARM_DESC(vf, "announce a virtual function");

static uint srq_sge = SH_MAX_SGE;
module_param(srq_sge, uint, 0444);
MODULE_PARM_DESC(srq_sge, "scatter entries of a shared receive queue; below 16 it limits the connected MTU");

struct sh_dev *sh_devs[SH_MAX_HCA];
DEFINE_MUTEX(sh_devs_lock);

int sh_hca_check(void)
{
	if (!nname || !srq_sge || srq_sge > SH_MAX_SGE) {
		pr_err("softhca: name: at least one; srq_sge: 1 to %d\n", SH_MAX_SGE);
		return -EINVAL;
	}
	return 0;
}

int sh_hca_count(void)
{
	return nname;
}

static u64 node_guid(int index)
{
	if (index < nguid)
		return guid[index];
	return guid[nguid - 1] + 0x10 * (index - nguid + 1);
}

__be64 sh_node_guid(int index)
{
	return cpu_to_be64(node_guid(index));
}

static void fill_attr(struct ib_device_attr *a, int index)
{
	a->fw_ver = 2ULL << 32 | 9 << 16 | 1000;
	/* A plane is a part of its card. */
	a->sys_image_guid = cpu_to_be64(node_guid(index - sh_port_is_plane(index)) + 3);
	a->vendor_id = 0x2c9;
	sh_pci_identity(index, &a->vendor_part_id, &a->hw_ver);
	a->max_mr_size = ~0ULL;
	a->page_size_cap = PAGE_SIZE;
	a->max_qp = 16384;
	a->max_qp_wr = 16384;
	a->device_cap_flags = IB_DEVICE_SYS_IMAGE_GUID | IB_DEVICE_PORT_ACTIVE_EVENT |
			      IB_DEVICE_RC_RNR_NAK_GEN;
	if (SH_KNOB(csum, index))
		a->device_cap_flags |= IB_DEVICE_UD_IP_CSUM;
	a->kernel_cap_flags = IBK_LOCAL_DMA_LKEY | IBK_BLOCK_MULTICAST_LOOPBACK;
	if (SH_KNOB(csum, index) && SH_KNOB(lso, index))
		a->kernel_cap_flags |= IBK_UD_TSO;
	if (SH_KNOB(vf, index))
		a->kernel_cap_flags |= IBK_VIRTUAL_FUNCTION;
	a->max_send_sge = SH_MAX_SGE;
	a->max_recv_sge = SH_MAX_SGE;
	a->max_srq_sge = srq_sge;
	a->max_cq = 16384;
	a->max_cqe = 65535;
	a->max_mr = 1024;
	a->max_pd = 1024;
	a->max_qp_rd_atom = 1;
	a->max_qp_init_rd_atom = 1;
	a->max_srq = 256;
	a->max_srq_wr = 16384;
	a->max_pkeys = sh_port_pkey_len();
	a->max_mcast_grp = 8192;
	a->max_mcast_qp_attach = SH_FAN;
	a->max_ah = 1 << 20;
}

/* ib_core clears ib.attrs and queries again, so dev->attr keeps the values. */
static int sh_query_device(struct ib_device *ib, struct ib_device_attr *a, struct ib_udata *u)
{
	*a = to_dev(ib)->attr;
	return 0;
}

static int sh_modify_device(struct ib_device *ib, int mask, struct ib_device_modify *m)
{
	if (mask & IB_DEVICE_MODIFY_NODE_DESC)
		memcpy(ib->node_desc, m->node_desc, sizeof(ib->node_desc));
	return 0;
}

static void sh_fw_str(struct ib_device *ib, char *s)
{
	u64 v = ib->attrs.fw_ver;

	snprintf(s, IB_FW_VERSION_NAME_MAX, "%d.%d.%04d", (int)(v >> 32), (int)(v >> 16) & 0xffff,
		 (int)v & 0xffff);
}

static const struct ib_device_ops sh_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.uverbs_abi_ver = 1,
	.add_gid = sh_add_gid,
	.alloc_pd = sh_alloc_pd,
	.attach_mcast = sh_attach,
	.create_ah = sh_create_ah,
	.create_cq = sh_create_cq,
	.create_qp = sh_create_qp,
	.create_srq = sh_create_srq,
	.dealloc_pd = sh_dealloc_pd,
	.del_gid = sh_del_gid,
	.dereg_mr = sh_dereg_mr,
	.destroy_ah = sh_destroy_ah,
	.destroy_cq = sh_destroy_cq,
	.destroy_qp = sh_destroy_qp,
	.destroy_srq = sh_destroy_srq,
	.device_group = &sh_attrs,
	.detach_mcast = sh_detach,
	.get_dev_fw_str = sh_fw_str,
	.get_dma_mr = sh_get_dma_mr,
	.get_link_layer = sh_link_layer,
	.get_port_immutable = sh_immutable,
	.get_vf_config = sh_get_vf_config,
	.get_vf_guid = sh_get_vf_guid,
	.get_vf_stats = sh_get_vf_stats,
	.modify_device = sh_modify_device,
	.modify_port = sh_modify_port,
	.modify_qp = sh_modify_qp,
	.modify_srq = sh_modify_srq,
	.poll_cq = sh_poll_cq,
	.post_recv = sh_post_recv,
	.post_send = sh_post_send,
	.post_srq_recv = sh_post_srq_recv,
	.process_mad = sh_process_mad,
	.query_ah = sh_query_ah,
	.rdma_netdev_get_params = sh_netdev_params,
	.query_device = sh_query_device,
	.query_gid = sh_query_gid,
	.query_pkey = sh_query_pkey,
	.query_port = sh_query_port,
	.query_qp = sh_query_qp,
	.query_srq = sh_query_srq,
	.reg_user_mr = sh_reg_user_mr,
	.req_notify_cq = sh_req_notify,
	.set_vf_guid = sh_set_vf_guid,
	.set_vf_link_state = sh_set_vf_link,
	INIT_RDMA_OBJ_SIZE(ib_ah, sh_ah, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, sh_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, sh_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, sh_qp, ib),
	INIT_RDMA_OBJ_SIZE(ib_srq, sh_srq, ib),
};

static void free_dev(struct sh_dev *d)
{
	int i;

	for (i = 0; i < d->nports; i++)
		sh_eth_del(&d->port[i]);
	mutex_lock(&sh_devs_lock);
	sh_devs[d->index] = NULL;
	mutex_unlock(&sh_devs_lock);
	flush_workqueue(sh_wq);
	for (i = 0; i < d->nports; i++) {
		sh_mcgroup_leave(&d->port[i]);
		sh_link_changed(&d->port[i]);
	}
	flush_workqueue(sh_wq); /* work that the changed links have queued */
	pci_set_drvdata(d->pdev, NULL);
	ib_dealloc_device(&d->ib);
}

/* The driver numbers the virtual functions of "mlx5_0" onwards: "mlx5_1" ... */
static void set_name(char *to, size_t size, int index)
{
	const char *first = SH_KNOB(name, index);

	if (index < nname)
		strscpy(to, first, size);
	else
		snprintf(to, size, "%.*s_%%d", (int)strcspn(first, "_"), first);
}

int sh_dev_add(int index, struct pci_dev *pdev, const struct sh_vf *virtual)
{
	char called[IB_DEVICE_NAME_MAX];
	struct sh_dev *d;
	int i, r;

	d = ib_alloc_device(sh_dev, ib);
	if (!d)
		return -ENOMEM;
	d->index = index;
	d->pdev = pdev;
	d->nports = virtual ? 1 : sh_port_count(index);
	set_name(called, sizeof(called), index);
	d->enhanced = SH_KNOB(enhanced, index);
	d->ib.node_type = RDMA_NODE_IB_CA;
	d->ib.phys_port_cnt = d->nports;
	d->ib.num_comp_vectors = 1;
	d->ib.local_dma_lkey = 1;
	d->ib.dev.parent = &pdev->dev;
	d->ib.node_guid = cpu_to_be64(virtual ? virtual->node_guid : node_guid(index));
	snprintf(d->ib.node_desc, sizeof(d->ib.node_desc), "softhca %s",
		 virtual ? "virtual function" : name[index]);
	fill_attr(&d->attr, index);
	for (i = 0; i < d->nports; i++)
		sh_port_setup(d, i);
	if (virtual) {
		d->attr.kernel_cap_flags |= IBK_VIRTUAL_FUNCTION;
		sh_port_of_vf(&d->port[0], virtual->port_guid);
	}
	ib_set_device_ops(&d->ib, &sh_ops);
	pci_set_drvdata(pdev, d);
	mutex_lock(&sh_devs_lock);
	sh_devs[index] = d;
	mutex_unlock(&sh_devs_lock);
	for (i = 0, r = 0; !r && i < d->nports; i++)
		if (d->port[i].eth)
			r = sh_eth_add(&d->port[i]);
	if (!r)
		r = ib_register_device(&d->ib, called, NULL);
	if (r) {
		dev_err(&pdev->dev, "softhca: ib_register_device: %d\n", r);
		free_dev(d);
		return r;
	}
	WRITE_ONCE(d->live, true);
	for (i = 0; i < d->nports; i++)
		sh_link_changed(&d->port[i]);
	return 0;
}

void sh_dev_del(struct sh_dev *d)
{
	WRITE_ONCE(d->live, false);
	ib_unregister_device(&d->ib);
	free_dev(d);
}

/* Finds an HCA by its name at load, even if udev has renamed it. The caller holds sh_devs_lock. */
struct sh_dev *sh_dev_by_name(const char *wanted)
{
	int i;

	for (i = 0; i < nname; i++)
		if (sh_devs[i] && !strcmp(name[i], wanted))
			return sh_devs[i];
	return NULL;
}

"""Invented customers, payments and orders for the demo teams."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Customer(models.Model):
    """A customer of the demo company, found by ``C-1001``, ``C-1002``, …"""

    customer_id = models.CharField(_("customer id"), max_length=20, unique=True)
    name = models.CharField(_("name"), max_length=100)
    email = models.EmailField(_("e-mail"))
    plan = models.CharField(_("plan"), max_length=40)
    status = models.CharField(_("status"), max_length=20, default="active")
    since = models.DateField(_("customer since"))

    class Meta:
        ordering = ["customer_id"]
        verbose_name = _("demo customer")
        verbose_name_plural = _("demo customers")

    def __str__(self) -> str:
        return f"{self.customer_id} {self.name}"


class Payment(models.Model):
    customer = models.ForeignKey(
        Customer, on_delete=models.CASCADE, related_name="payments"
    )
    paid_on = models.DateField(_("date"))
    amount = models.DecimalField(_("amount"), max_digits=10, decimal_places=2)
    currency = models.CharField(_("currency"), max_length=3, default="EUR")
    method = models.CharField(_("method"), max_length=20)
    reference = models.CharField(_("reference"), max_length=20, unique=True)

    class Meta:
        ordering = ["-paid_on", "-pk"]
        verbose_name = _("demo payment")
        verbose_name_plural = _("demo payments")

    def __str__(self) -> str:
        return self.reference


class OrderStatus(models.TextChoices):
    PLACED = "placed", _("Placed")
    SHIPPED = "shipped", _("Shipped")
    DELIVERED = "delivered", _("Delivered")
    RETURNING = "returning", _("On its way back")
    REFUNDED = "refunded", _("Refunded")


class Order(models.Model):
    """An order of one item. ``return_number`` is there once a return was arranged."""

    number = models.CharField(_("order number"), max_length=20, unique=True)
    customer = models.ForeignKey(
        Customer, on_delete=models.CASCADE, related_name="orders"
    )
    item = models.CharField(_("item"), max_length=60)
    amount = models.DecimalField(_("amount"), max_digits=10, decimal_places=2)
    currency = models.CharField(_("currency"), max_length=3, default="EUR")
    ordered_on = models.DateField(_("ordered on"), db_index=True)
    status = models.CharField(
        _("status"),
        max_length=12,
        choices=OrderStatus.choices,
        default=OrderStatus.PLACED,
    )
    return_number = models.CharField(_("return number"), max_length=20, blank=True)

    class Meta:
        ordering = ["-ordered_on", "number"]
        verbose_name = _("demo order")
        verbose_name_plural = _("demo orders")

    def __str__(self) -> str:
        return f"{self.number} {self.item}"


class FiledFigures(models.Model):
    """Figures that an agent put into the archive; once for each call of its tool."""

    call_id = models.UUIDField(unique=True, editable=False)
    title = models.CharField(_("title"), max_length=200)
    text = models.TextField(_("text"))
    filed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-filed_at"]
        verbose_name = _("filed figures")
        verbose_name_plural = _("filed figures")

    def __str__(self) -> str:
        return self.title

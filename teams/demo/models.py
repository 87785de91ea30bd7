"""Invented customers and payments for the demo teams."""

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

import { accountDeleted, newSignIn, testMail, welcome } from "./mail/account";
import type { MailTable } from "./mail/content";
import {
  orderCanceled,
  orderConfirmation,
  orderGoodsCanceled,
  orderPickupReady,
  orderPickupReadyUndone,
  orderPickupReminder,
  orderRefunded,
  orderReturnApproved,
  orderReturnRejected,
  orderShipmentUndone,
  orderShipped,
  orderToPay,
  pickupToConfirm,
} from "./mail/order";

/** Maps each kind of email to the function that composes it. Only in the server's bundle. */
export const mails: MailTable = {
  order_confirmation: orderConfirmation,
  order_shipped: orderShipped,
  order_refunded: orderRefunded,
  order_canceled: orderCanceled,
  order_goods_canceled: orderGoodsCanceled,
  order_return_approved: orderReturnApproved,
  order_return_rejected: orderReturnRejected,
  order_to_pay: orderToPay,
  order_pickup_ready: orderPickupReady,
  order_pickup_ready_undone: orderPickupReadyUndone,
  order_pickup_reminder: orderPickupReminder,
  order_shipment_undone: orderShipmentUndone,
  pickup_to_confirm: pickupToConfirm,
  welcome,
  new_sign_in: newSignIn,
  account_deleted: accountDeleted,
  test: testMail,
};

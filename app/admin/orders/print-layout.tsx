import type { ReactNode } from "react";
import { formatTime } from "../../lib/format";
import { useShared } from "../../lib/shared";
import type { AdminOrder } from "../../lib/types";
import { AddressLines } from "../parts/address-lines";

/** Printed pages have no header or navigation. */
export function PrintLayout({ children }: { url: string; children: ReactNode }) {
  return <main id="main">{children}</main>;
}

interface Props {
  title: string;
  order: AdminOrder;
  children: ReactNode;
}

/** A printable page about an order. Without scripts it can be printed with the browser's own command. */
export function PrintPage({ title, order, children }: Props) {
  const { company } = useShared();
  const { number, placed_at, address, shipping_name, picked_up, customer } = order;
  return (
    <article className="order-sheet">
      <p className="sheet-tools">
        <a href={`/admin/orders/${number}`}>{`Back to order ${number}`}</a>
        <button
          type="button"
          className="button button-primary needs-scripts"
          onClick={() => print()}
        >
          Print
        </button>
      </p>
      <header className="sheet-head">
        <div>
          <h1>{title}</h1>
          <p>{`Order ${number}${placed_at ? `, placed ${formatTime(placed_at)}` : ""}`}</p>
        </div>
        <address>
          <b>{company.name}</b>
          <span>{company.address}</span>
          <span>{company.email}</span>
          <span>{company.phone}</span>
        </address>
      </header>
      <section className="sheet-to" aria-label={picked_up ? "Picked up by" : "Ship to"}>
        {address ? (
          <address>
            <b>{`${address.first_name} ${address.last_name}`}</b>
            <AddressLines address={address} />
          </address>
        ) : (
          <p>{customer.name}</p>
        )}
        <p>{shipping_name}</p>
      </section>
      {children}
      <footer>{company.legal_line}</footer>
    </article>
  );
}

import type { Address } from "../../lib/types";

type Place = Pick<Address, "company" | "line1" | "line2" | "city" | "state" | "postal_code">;

/** Where an address is, line by line; who lives there stands above it. */
export function AddressLines({ address }: { address: Place }) {
  const { company, line1, line2, city, state, postal_code } = address;
  return [company, line1, line2, `${city}, ${state} ${postal_code}`]
    .filter(Boolean)
    .map((line) => <span key={line}>{line}</span>);
}

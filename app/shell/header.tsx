import { useRef } from "react";
import { useCart } from "../lib/cart";
import { useShared } from "../lib/shared";
import { Icon } from "../ui/icon";
import { useDismiss } from "../ui/use-dismiss";
import { AccountMenu, SignIn } from "./account-menu";
import { Menu } from "./menu";
import { SearchBox } from "./search-box";
import { Wordmark } from "./wordmark";

interface Props {
  url: string;
  /** The search query of the page. */
  query: string;
}

export function Header({ url, query }: Props) {
  const { company, menu, demo, user, sign_in_href } = useShared();
  const header = useRef<HTMLElement>(null);
  useDismiss(header);
  return (
    <header ref={header} className="header">
      {demo && <p className="demo">Demo shop: nothing here is for sale</p>}
      <div className="header-bar wrap">
        <button type="button" className="menu-button" popoverTarget="menu" aria-label="Menu">
          <Icon name="menu" />
        </button>
        <a className="header-name" href="/">
          <Wordmark name={company.name} />
        </a>
        {/* Kept when a list gets other filters: the shopper may be typing. */}
        <SearchBox key={url.replace(/\?.*/, query)} query={query} />
        <div className="header-end">
          {user ? (
            <AccountMenu key={`account ${url}`} user={user} />
          ) : (
            sign_in_href && <SignIn href={sign_in_href} />
          )}
          <CartLink />
        </div>
      </div>
      <Menu menu={menu} />
    </header>
  );
}

/** Pages are the same for all shoppers, so the count comes from the browser; its space is reserved until then. */
function CartLink() {
  const { count } = useCart();
  return (
    <a className="cart-link" href="/cart">
      <span className="header-label">Cart</span>
      <Icon name="cart" />
      <span className="cart-count" data-empty={count === 0 || undefined}>
        {count > 0 && count}
        <span className="visually-hidden">{count === 1 ? " item" : count > 1 ? " items" : ""}</span>
      </span>
    </a>
  );
}

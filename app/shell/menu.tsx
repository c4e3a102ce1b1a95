import { reusable } from "../../ssr-runtime/js/reusable";
import type { Menu as MenuData, MenuItem } from "../lib/types";
import { Icon } from "../ui/icon";

function Categories({ menu }: { menu: MenuData }) {
  return (
    <>
      <div className="menu-head">
        <p className="label">Categories</p>
        <button
          type="button"
          className="icon-button"
          popoverTarget="menu"
          popoverTargetAction="hide"
          aria-label="Close menu"
        >
          <Icon name="close" />
        </button>
      </div>
      <ul className="menu-list">
        <li>
          <a className="menu-top" href="/products">
            Shop all
          </a>
        </li>
        {menu.items.map((item) => (
          <li key={item.href}>
            {item.children.length > 0 ? (
              <Branch item={item} />
            ) : (
              <a className="menu-top" href={item.href}>
                {item.label}
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * The categories: a bar with panels on wide screens, a drawer on phones. Both are one popover, which the style sheet shows
 * as a bar on wide screens, so both work without scripts.
 */
export const Menu = reusable(Categories, {
  as: "nav",
  attributes: () => ({
    id: "menu",
    className: "menu",
    popover: "auto",
    "aria-label": "Categories",
  }),
  data: ({ menu }) => menu,
});

function Branch({ item }: { item: MenuItem }) {
  return (
    <details name="menu">
      <summary className="menu-top">
        {item.label}
        <Icon name="chevron" />
      </summary>
      <ul className="menu-panel">
        <li>
          <a href={item.href}>{`All ${item.label}`}</a>
        </li>
        {item.children.map((child) => (
          <li key={child.href}>
            <a href={child.href}>{child.label}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

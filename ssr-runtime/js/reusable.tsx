// Reuses the HTML of components that show the same thing on many pages, such as a product card. React spends most of a
// list page on the elements inside such components; here it writes the outer element, and the host inserts the rest.
//
// In the props that the host sends, such data is a marker, which is a string: the component then writes a reference, which
// the host replaces by HTML that it knows. When it does not know the HTML, it sends the data with the marker as its `$id`:
// the component then writes the reference and the HTML. Data without a marker is rendered as usual.
//
// The browser gets the ordinary component, and the HTML is the same to the byte, so hydration is unaffected. That requires
// a component whose contents
// - depend on nothing but the data and `key`: no context, no clock, no state that differs from its first value;
// - have no `useId`, whose ids count across the page;
// - consist of HTML elements.
// A component that suspends, or puts something elsewhere into the page (a preload, a title), is rendered as usual.
import { type ComponentType, createElement, type HTMLAttributes, type ReactElement } from "react";

/** Defined by the server's build, and by a browser's build that wants to drop the server's part of this file. */
declare const __SERVER__: boolean | undefined;

interface Outer<Props> {
  /** The outer element. */
  as: keyof HTMLElementTagNameMap;
  /** Attributes of the outer element. They are not part of what is reused. */
  attributes?: (props: Props) => HTMLAttributes<HTMLElement>;
}

const none = () => ({});

interface Single<Props> extends Outer<Props> {
  /** The data that the host may have replaced by a marker. */
  data: (props: Props) => object;
  /** Tells apart all that differs inside in addition to the data. */
  key?: (props: Props) => string;
}

/** `Component` inside of an outer element. */
export function reusable<Props extends object>(
  Component: ComponentType<Props>,
  { as, attributes = none, data, key = () => "" }: Single<Props>,
): ComponentType<Props> {
  const Ordinary = (props: Props) =>
    createElement(as, attributes(props), createElement(Component, props));
  if (typeof __SERVER__ !== "undefined" && __SERVER__) {
    const component = ++components;
    return function Reusable(props: Props) {
      const html = reference(component, data(props), key(props), as, () =>
        createElement(Component, props),
      );
      return html === null ? Ordinary(props) : outer(as, attributes(props), html);
    };
  }
  return Ordinary;
}

interface ListProps<Item> {
  items: Item[];
}

interface List<Item> extends Outer<ListProps<Item>> {
  /** React's key of an item, within the list. */
  key: (item: Item, at: number, items: Item[]) => string;
}

/**
 * One `Component` for each item inside of one outer element. The host may have replaced the items, or the whole list, by
 * markers.
 */
export function reusableList<Item extends object>(
  Component: ComponentType<Item>,
  { as, attributes = none, key }: List<Item>,
): ComponentType<ListProps<Item>> {
  const Ordinary = (props: ListProps<Item>) => {
    const items = props.items.map((item, at, all) => (
      <Component key={key(item, at, all)} {...item} />
    ));
    return createElement(as, attributes(props), items);
  };
  if (typeof __SERVER__ !== "undefined" && __SERVER__) {
    const component = ++components;
    return function ReusableList(props: ListProps<Item>) {
      const parts: Marked[] = typeof props.items === "string" ? [props.items] : props.items;
      let html = "";
      for (const part of parts) {
        const one = reference(component, part, "", as, () =>
          createElement(Component, part as Item),
        );
        if (one === null) return Ordinary(props);
        html += one;
      }
      return outer(as, attributes(props), html);
    };
  }
  return Ordinary;
}

let components = 0;

function outer(as: string, attributes: object, html: string): ReactElement {
  return createElement(as, { ...attributes, dangerouslySetInnerHTML: { __html: html } });
}

/** Around a reference, which is followed by `IS` and the HTML, or by nothing. */
const MARK = "\u0001";
const IS = "\u0002";

/** A marker, or data that may have one. */
type Marked = string | (object & { $id?: string });

/** A reference to the HTML of a component, with the HTML if its data is there; null when it cannot be reused. */
function reference(
  component: number,
  data: Marked,
  key: string,
  as: string,
  element: () => ReactElement,
): string | null {
  if (typeof data === "string") return `${MARK}${component} ${data} ${key}${MARK}`;
  const { $id: marker } = data;
  if (marker === undefined) return null;
  const html = inner(as, element());
  return html === null ? null : `${MARK}${component} ${marker} ${key}${IS}${html}${MARK}`;
}

/** The HTML of `element`, or null when it cannot stand alone. */
function inner(as: string, element: ReactElement): string | null {
  const html = globalThis.ssr.renderElement?.(createElement(as, null, element));
  const [open, close] = [`<${as}>`, `</${as}>`];
  if (typeof html !== "string" || !html.startsWith(open) || !html.endsWith(close)) return null;
  return html.includes(MARK) || html.includes(IS) ? null : html.slice(open.length, -close.length);
}

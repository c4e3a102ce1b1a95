import { Component, type ReactNode } from "react";
import type { View } from "../lib/view";

interface Props {
  view: View;
  /** Stands in for a tree that has thrown, until there is another view. */
  fallback: (error: unknown) => ReactNode;
  onError: (error: unknown) => void;
  children: ReactNode;
}

interface State {
  view: View;
  failed: { error: unknown } | null;
}

/** Catches what a page or the layout throws while it renders; the next view starts afresh. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { view: this.props.view, failed: null };

  static getDerivedStateFromProps(props: Props, state: State): State | null {
    return props.view === state.view ? null : { view: props.view, failed: null };
  }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    const { failed } = this.state;
    return failed ? this.props.fallback(failed.error) : this.props.children;
  }
}

import { Component, type ReactNode } from "react";
import type { View } from "../lib/view";

interface Props {
  view: View;
  /** Shown in place of a tree that has thrown, until the next view. */
  fallback: (error: unknown) => ReactNode;
  onError: (error: unknown) => void;
  children: ReactNode;
}

interface State {
  view: View;
  failed: { error: unknown } | null;
}

/** Catches errors thrown while a page or layout renders; the next view clears the error. */
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

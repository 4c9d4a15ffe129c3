import { type ReactNode } from 'react';

export interface ComponentProps { children?: ReactNode; label: string }

export function Component({ children, label }: ComponentProps) {
  return <section aria-label={label}>{children}</section>;
}

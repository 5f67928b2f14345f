import { createElement, useCallback, useState, type ButtonHTMLAttributes, type ReactElement } from 'react';
import { createLink, type LinkOptions, type LinkSource } from './link.js';

/** Returns a function for a click, and whether the connect page is open. */
export function useCausewayLink(source: LinkSource, options: LinkOptions): { open: () => void; isOpen: boolean } {
  const [isOpen, setIsOpen] = useState(false);
  const open = useCallback(() => {
    setIsOpen(true);
    void createLink(options)
      .open(source)
      .finally(() => setIsOpen(false));
  }, [source, options]);
  return { open, isOpen };
}

export type CausewayLinkButtonProps = LinkOptions & {
  /** Requests a link from your server. */
  getLink: LinkSource;
} & Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'type'>;

/** `<CausewayLinkButton getLink={…} onConnected={…}>Connect</CausewayLinkButton>`: a button without a style. */
export function CausewayLinkButton(props: CausewayLinkButtonProps): ReactElement {
  const { getLink, mode, via, onConnected, onExit, onEvent, ...button } = props;
  const { open, isOpen } = useCausewayLink(getLink, { mode, via, onConnected, onExit, onEvent });
  return createElement('button', { disabled: isOpen, ...button, type: 'button', onClick: open });
}

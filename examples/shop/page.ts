/** The page of the example. It has no key: it talks to the server of the example only. */
import type { CausewayLink } from '../../clients/link/src/index.js';

interface Balance {
  address: string;
  balances: { asset: string; amount: number; exact: { amount: string } }[];
}

interface Step {
  type: string;
  field: string | null;
  wasWrong: boolean;
}

type Next = { state: 'codes'; steps: Step[]; relation: 'AND' | 'OR' } | { state: 'ended'; status: string };

const LABELS: Record<string, string> = {
  GOOGLE: 'Code of your authenticator',
  EMAIL: 'Code from your email',
  SMS: 'Code from the SMS',
  YUBIKEY: 'Code of your hardware key',
  PASSPHRASE: 'Passphrase',
  FACE: 'Confirm the face check in the app of the exchange',
};
const ENDS: Record<string, string> = {
  ok: 'The withdrawal has arrived.',
  pending: 'The withdrawal is under way.',
  failed: 'The withdrawal failed. Nothing has left.',
  canceled: 'The withdrawal was canceled. Nothing has left.',
};

const link = find<CausewayLink>('causeway-link');
const status = find('#status');
const withdraw = find<HTMLFormElement>('#withdraw');
const codes = find<HTMLFormElement>('#codes');

link.addEventListener('connected', () => void showBalance());
link.addEventListener('exit', (event) => {
  const { reason } = (event as CustomEvent<{ reason: string }>).detail;
  say(reason === 'closed' ? 'You closed the window. Nothing was connected.' : `Nothing was connected: ${reason}.`);
});
withdraw.addEventListener('submit', (event) => void submitted(event, withdraw, '/withdraw'));
codes.addEventListener('submit', (event) => void submitted(event, codes, '/codes'));
await showBalance();

/**
 * Shows the balance of a connected account, the button to connect when there is none, or the reason why neither can be
 * shown.
 */
async function showBalance(): Promise<void> {
  const response = await fetch('/balance');
  const isConnected = response.status !== 404;
  link.hidden = isConnected;
  find('#account').hidden = !response.ok;
  if (!response.ok) {
    if (isConnected) say(((await response.json()) as { error: string }).error);
    return;
  }
  const { balances, address } = (await response.json()) as Balance;
  find('#balances').replaceChildren(
    ...balances.map(({ asset, exact }) => {
      const row = document.createElement('tr');
      for (const text of [asset, exact.amount]) row.insertCell().textContent = text;
      return row;
    }),
  );
  const input = withdraw.elements.namedItem('address') as HTMLInputElement;
  if (input.value === '') input.value = address;
}

async function submitted(event: SubmitEvent, form: HTMLFormElement, target: string): Promise<void> {
  event.preventDefault();
  const button = form.querySelector('button');
  if (button !== null) button.disabled = true;
  say('One moment …');
  try {
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    const response = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const next = (await response.json()) as Next & { error?: string };
    if (response.ok) await show(next);
    else say(next.error ?? 'The request failed.');
  } finally {
    if (button !== null) button.disabled = false;
  }
}

async function show(next: Next): Promise<void> {
  withdraw.hidden = next.state === 'codes';
  codes.hidden = next.state !== 'codes';
  if (next.state === 'ended') {
    say(ENDS[next.status] ?? next.status);
    await showBalance();
    return;
  }
  const { steps, relation } = next;
  const isWrong = steps.some(({ wasWrong }) => wasWrong);
  const question = relation === 'OR' && steps.length > 1 ? 'Enter one of the codes.' : 'Enter the code of each step.';
  say(`${isWrong ? 'That code was wrong. ' : ''}The exchange wants to know that it is you. ${question}`);
  find('#steps').replaceChildren(...steps.map((step) => fieldOf(step)));
  codes.querySelector('input')?.focus();
}

function fieldOf({ type, field }: Step): HTMLElement {
  const label = document.createElement('label');
  label.textContent = LABELS[type] ?? type;
  if (field === null) return label;
  const input = document.createElement('input');
  Object.assign(input, { name: field, autocomplete: 'one-time-code', required: true });
  label.append(input);
  return label;
}

function say(text: string): void {
  status.textContent = text;
}

function find<Found extends HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector);
  if (found === null) throw new Error(`the page has no ${selector}`);
  return found;
}

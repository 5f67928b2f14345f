import { html, type Html } from '#platform/html';
import type { OAuthClient } from '../ledger/oauth-records.js';
import type { Account } from '../ledger/records.js';
import { NEW_ACCOUNT, PASSWORD, type LoginAccounts } from './accounts.js';
import { layout } from './layout.js';
import type { Provider } from './provider.js';

/** Access that an authorization request or a QR code asks a person for. */
export interface AccessRequest {
  provider: Provider;
  client: Pick<OAuthClient, 'name'>;
  scopes: string[];
}

interface LoginPage extends AccessRequest, LoginAccounts {
  /** The error of the previous attempt. */
  problem: string | null;
}

export function loginPage({ provider, client, problem, ...found }: LoginPage): string {
  const { accounts } = found;
  const choice = (value: string, text: Html, isChecked: boolean): Html =>
    html`<label class="choice">
      ${
        isChecked
          ? html`<input type="radio" name="account" value="${value}" checked />`
          : html`<input type="radio" name="account" value="${value}" />`
      }
      <span>${text}</span>
    </label>`;
  const body = html`<p>${client.name} asks for access to your account.</p>
    ${searchForm(found)}
    <form class="card" method="post">
      ${problem === null ? html`` : html`<p class="wrong" role="alert">${problem}</p>`}
      <fieldset>
        <legend>Account</legend>
        ${choice(NEW_ACCOUNT, html`A new account with money`, true)}
        ${accounts.map(({ id, name }) => choice(id, html`${name} <span class="faint">${id.slice(0, 8)}</span>`, false))}
      </fieldset>
      <label class="field">
        Password
        <input type="password" name="password" autocomplete="off" aria-describedby="hint" />
      </label>
      <p class="faint" id="hint">The password of every account is <strong>${PASSWORD}</strong>.</p>
      <div class="buttons">
        <button name="step" value="login">Log in</button>
        <button class="quiet" name="step" value="deny">Cancel</button>
      </div>
    </form>`;
  return layout({ title: `Log in to ${provider.name}`, body });
}

/**
 * The page shows this form when not all accounts fit on it, or after a search. The form is separate, so that the Enter
 * key in the login form logs in.
 */
function searchForm({ search, more }: LoginAccounts): Html {
  if (search === '' && more === 0) return html``;
  return html`<form class="search" method="post" role="search">
    <label
      >Account <input type="search" name="q" value="${search}" placeholder="name or id" autocomplete="off"
    /></label>
    <button class="quiet" name="step" value="search">Find</button>
    ${more === 0 ? html`` : html`<span class="faint">${more} older accounts are not listed.</span>`}
  </form>`;
}

export function consentPage({ provider, client, scopes, account }: AccessRequest & { account: Account }): string {
  const rows = scopes.map((scope) => {
    const words = provider.scopes[scope] ?? scope;
    const text = html`<span>${words} <span class="faint">${scope}</span></span>`;
    return provider.allowsParts
      ? html`<label class="choice"><input type="checkbox" name="scope" value="${scope}" checked />${text}</label>`
      : html`<li>${text}</li>`;
  });
  const list = provider.allowsParts
    ? html`<fieldset>
        <legend>The application would be able to</legend>
        ${rows}
      </fieldset>`
    : html`<p>The application would be able to</p>
        <ul>
          ${rows}
        </ul>`;
  const body = html`<p><strong>${client.name}</strong> asks for access to <strong>${account.name}</strong>.</p>
    <form class="card" method="post">
      ${list}
      <input type="hidden" name="account" value="${account.id}" />
      <input type="hidden" name="password" value="${PASSWORD}" />
      <div class="buttons">
        <button name="step" value="allow">Allow</button>
        <button class="quiet" name="step" value="deny">Deny</button>
      </div>
    </form>`;
  return layout({ title: `${provider.name}: allow access?`, body });
}

/**
 * The response to the form that ends the authorization. It is a page and not a redirect, because after a form Chromium
 * blocks redirects to addresses that the policy `form-action` does not allow.
 */
export function redirectPage({
  provider,
  client,
  url,
}: Pick<AccessRequest, 'provider' | 'client'> & { url: string }): string {
  const body = html`<p>You are being taken back to ${client.name}.</p>
    <p><a href="${url}">Go back to ${client.name}</a></p>`;
  return layout({ title: provider.name, body, redirectsTo: url });
}

export function notePage(title: string, text: string): string {
  return layout({ title, body: html`<p>${text}</p>` });
}

import { html, type Html } from '#platform/html';
import type { OAuthClient } from '../ledger/oauth-records.js';
import type { Account } from '../ledger/records.js';
import { NEW_ACCOUNT, PASSWORD } from './accounts.js';
import { framed } from './frame.js';
import type { Provider } from './provider.js';

/** What a person is asked for, by an authorization request or a QR code. */
export interface Asked {
  provider: Provider;
  client: Pick<OAuthClient, 'name'>;
  scopes: string[];
}

interface LoginPage extends Asked {
  accounts: Account[];
  /** What was wrong with the login before. */
  problem: string | null;
}

export function loginPage({ provider, client, accounts, problem }: LoginPage): string {
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
  return framed({ title: `Log in to ${provider.name}`, body });
}

export function consentPage({ provider, client, scopes, account }: Asked & { account: Account }): string {
  const rows = scopes.map((scope) => {
    const words = provider.scopes[scope] ?? scope;
    const text = html`<span>${words} <span class="faint">${scope}</span></span>`;
    return provider.allowsParts
      ? html`<label class="choice"><input type="checkbox" name="scope" value="${scope}" checked />${text}</label>`
      : html`<li>${text}</li>`;
  });
  const list = provider.allowsParts
    ? html`<fieldset>
        <legend>It would be able to</legend>
        ${rows}
      </fieldset>`
    : html`<p>It would be able to</p>
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
  return framed({ title: `${provider.name}: allow access?`, body });
}

/** Chromium applies `form-action` to redirects after a form, so a form is answered with this page. */
export function goingPage({ provider, client, url }: Pick<Asked, 'provider' | 'client'> & { url: string }): string {
  const body = html`<p>You are being taken back to ${client.name}.</p>
    <p><a href="${url}">Go back to ${client.name}</a></p>`;
  return framed({ title: provider.name, body, goesTo: url });
}

export function notePage(title: string, text: string): string {
  return framed({ title, body: html`<p>${text}</p>` });
}

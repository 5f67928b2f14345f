import type { CredentialField } from '#exchange';
import { html, type Html } from '#platform/html';
import type { ConnectView } from '../session/connect-view.js';
import { cancelOf, documentOf, errorCode, type PageAddresses } from './document.js';
import { problemText } from './problem-view.js';
import { access, key, problems } from './texts.js';

/** The errors of a submitted form. The values are never sent back. */
export interface KeyFormProblem {
  /** Fields that were left empty. */
  missing: readonly CredentialField[];
  /** Fields that no key of the exchange can have. */
  malformed: readonly CredentialField[];
}

/** The error of a field, or null without a known one. */
function problemOf(view: ConnectView, field: CredentialField, problem: KeyFormProblem | null): string | null {
  if (problem?.missing.includes(field) === true) return key.missing(labelOf(view, field));
  return problem?.malformed.includes(field) === true ? key.malformed(labelOf(view, field)) : null;
}

/** Instructions for creating a key, and the form for it. */
export function keyView(places: PageAddresses, view: ConnectView, problem: KeyFormProblem | null = null): Html {
  const { exchange, projectName } = view;
  return documentOf(places, {
    heading: key.heading(exchange.name),
    parties: view,
    above: summaryOf(view, problem),
    content: html`<p class="lead">
        ${view.mode === 'test' ? key.leadTest(projectName) : key.lead(projectName, exchange.name)}
      </p>
      <ol class="steps">
        <li>${makeStep(view)}</li>
        <li>${permissionsStep(view)}</li>
        <li>${addressesStep(view)}</li>
        <li>${formStep(places, view, problem)}</li>
      </ol>
      <p class="center"><a href="${places.home}">${key.back}</a></p>`,
    below: cancelOf(places, view),
  });
}

/** Label of a field, in the exchange's own terms where they are known. */
function labelOf(view: ConnectView, field: CredentialField): string {
  return view.exchange.keyGuide?.fieldNames?.[field] ?? key.fields[field];
}

function summaryOf(view: ConnectView, problem: KeyFormProblem | null): Html {
  if (problem !== null) {
    const items = [...problem.missing, ...problem.malformed].map(
      (field) => html`<li><a href="#${field}">${problemOf(view, field, problem) ?? ''}</a></li>`,
    );
    return html`<div class="notice" id="summary" role="alert" tabindex="-1">
      <h2>${problems.heading}</h2>
      <ul>
        ${items}
      </ul>
    </div>`;
  }
  if (view.error === null || view.method !== 'key') return html``;
  const [first] = view.exchange.credentialFields;
  const text = problemText(view, view.error);
  return html`<div class="notice" id="summary" role="alert" tabindex="-1">
    <h2>${problems.heading}</h2>
    <p>${isRefusal(view) && first !== undefined ? html`<a href="#${first}">${text}</a>` : text}</p>
    <p>${problems.attemptsLeft(view.attemptsLeft)}</p>
    ${errorCode(view.error.type)}
  </div>`;
}

const isRefusal = ({ error }: ConnectView): boolean => error?.type === 'WALLET_INVALID_CREDENTIALS';

function makeStep({ exchange: { name, keyUrl }, mode }: ConnectView): Html {
  if (mode === 'test') {
    return html`<h2>${key.stepMakeTest}</h2>
      <p>${key.test(name)}</p>`;
  }
  return html`<h2>${key.stepMake(name)}</h2>
    <p>
      <a href="${keyUrl}" target="_blank" rel="noopener noreferrer">${key.open(name)}</a>
      <span class="faint">${key.newTab}</span>
    </p>`;
}

function permissionsStep({ exchange: { keyGuide }, access: asked }: ConnectView): Html {
  const guide = keyGuide?.permissions;
  if (guide === undefined) {
    return html`<h2>${key.stepTick}</h2>
      <p class="hint">${key.tickGeneric}</p>
      <ul class="plain">
        ${asked.map((kind) => html`<li>${access.kinds[kind]}</li>`)}
      </ul>`;
  }
  const names = [...new Set(asked.flatMap((kind) => guide[kind]))];
  return html`<h2>${key.stepTick}</h2>
    <ul class="chips">
      ${names.map((name) => html`<li>${name}</li>`)}
    </ul>`;
}

function addressesStep({ exchange: { name }, egressIps }: ConnectView): Html {
  if (egressIps.length === 0) {
    return html`<h2>${key.stepNoAddresses}</h2>
      <p class="hint">${key.noAddresses(name)}</p>`;
  }
  const rows = egressIps.map(
    (address) => html`<li><code>${address}</code>${copyButton(address, key.copy, key.copyOne(address))}</li>`,
  );
  return html`<h2>${key.stepAddresses}</h2>
    <p class="hint">${key.addresses(name)}</p>
    <ul class="addresses">
      ${rows}
    </ul>
    ${egressIps.length > 1 ? copyButton(egressIps.join(','), key.copyAll, key.copyAll) : ''}
    <p class="hint" id="live" aria-live="polite"></p>`;
}

/** Hidden until the script makes it work. */
function copyButton(text: string, label: string, name: string): Html {
  const words = html`data-done="${key.copied}" data-failed="${key.notCopied}"`;
  return html`<button type="button" class="small" hidden data-copy="${text}" aria-label="${name}" ${words}>
    ${label}
  </button>`;
}

function formStep(places: PageAddresses, view: ConnectView, problem: KeyFormProblem | null): Html {
  const { exchange } = view;
  return html`<h2>${key.stepPaste}</h2>
    <form method="post" action="${places.home}/key" autocomplete="off">
      ${exchange.regions.length > 0 ? regionOf(view) : ''}
      ${exchange.credentialFields.map((field) => fieldOf(view, field, problem))}
      <p class="hint">${key.neverShown}</p>
      <div class="actions">
        <button class="primary" data-busy="${key.checking(exchange.name)}">${key.submit}</button>
      </div>
    </form>`;
}

/** The owner's account is at one of the exchange's regional sites. */
function regionOf(view: ConnectView): Html {
  return html`<label for="apiRegion">${labelOf(view, 'apiRegion')}</label>
    <select id="apiRegion" name="apiRegion" required>
      ${view.exchange.regions.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}
    </select>`;
}

/** The field never has a value: a submitted secret is not sent back. */
function fieldOf(view: ConnectView, field: CredentialField, problem: KeyFormProblem | null): Html {
  const label = labelOf(view, field);
  const wrong = problemOf(view, field, problem);
  const isPem = view.exchange.keyGuide?.pemField === field;
  const notes = [...(wrong !== null ? [`${field}-error`] : []), ...(isPem ? [`${field}-hint`] : [])].join(' ');
  const described = notes === '' ? html`` : html`aria-describedby="${notes}"`;
  const invalid = wrong !== null || isRefusal(view) ? html`aria-invalid="true"` : html``;
  const common = html`id="${field}" name="${field}" required autocomplete="off" autocapitalize="none" spellcheck="false"
  ${described} ${invalid}`;
  const hidden = field === 'apiSecret' || field === 'apiPassphrase';
  const control = isPem
    ? html`<textarea ${common} rows="5"></textarea>`
    : html`<input ${common} type="${hidden ? 'password' : 'text'}" />`;
  return html`<label for="${field}">${label}</label>
    ${isPem ? html`<p class="hint" id="${field}-hint">${key.pemHint}</p>` : ''} ${control}
    ${wrong === null ? '' : html`<p class="field-error" id="${field}-error">${wrong}</p>`}`;
}

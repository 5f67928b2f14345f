import type { CredentialField } from '#exchange';
import { html, type Html } from '#platform/html';
import type { ChosenView } from '../../session/connect-view.js';
import { cancelOf, documentOf, errorCode, type PageContext } from './document.js';
import type { TypedFields } from './key-form.js';
import { problemText } from './problem-view.js';

/** The errors of a submitted form, and the values that the form shows again. */
export interface SubmittedForm {
  /** Fields that were left empty. */
  missing: readonly CredentialField[];
  /** Fields with a value that no key of the exchange can have. */
  malformed: readonly CredentialField[];
  /** The submitted values that the form shows again. They contain no secrets. */
  typed: TypedFields;
}

const NOTHING: SubmittedForm = { missing: [], malformed: [], typed: {} };

interface KeyPage {
  context: PageContext;
  view: ChosenView;
  form: SubmittedForm;
}

/** Instructions for creating a key, and the form for it. */
export function keyView(context: PageContext, view: ChosenView, form: SubmittedForm = NOTHING): Html {
  const { exchange, projectName } = view;
  const { key } = context.texts;
  const page = { context, view, form };
  return documentOf(context, {
    heading: key.heading(exchange.name),
    parties: view,
    above: summaryOf(page),
    content: html`<p class="lead">
        ${view.mode === 'test' ? key.leadTest(projectName) : key.lead(projectName, exchange.name)}
      </p>
      <ol class="steps">
        <li>${makeStep(page)}</li>
        <li>${permissionsStep(page)}</li>
        <li>${addressesStep(page)}</li>
        <li>${formStep(page)}</li>
      </ol>
      <p class="center"><a href="${context.home}">${key.back}</a></p>`,
    below: cancelOf(context, view),
  });
}

/** Returns the label of a field, in the exchange's own terms where they are known. */
function labelOf({ context, view }: KeyPage, field: CredentialField): string {
  return view.exchange.keyGuide?.fieldNames?.[field] ?? context.texts.key.fields[field];
}

/** Returns the error of a field; null = the field has no known error. */
function problemOf(page: KeyPage, field: CredentialField): string | null {
  const { key } = page.context.texts;
  const { missing, malformed } = page.form;
  if (missing.includes(field)) return key.missing(labelOf(page, field));
  if (malformed.includes(field)) return key.malformed(labelOf(page, field));
  return refusedFieldOf(page.view) === field ? key.refused(labelOf(page, field), page.view.exchange.name) : null;
}

function summaryOf(page: KeyPage): Html {
  const { context, view, form } = page;
  const { problems } = context.texts;
  const wrong = [...form.missing, ...form.malformed];
  if (wrong.length > 0) {
    const items = wrong.map((field) => html`<li><a href="#${field}">${problemOf(page, field) ?? ''}</a></li>`);
    return html`<div class="notice" id="summary" role="alert" tabindex="-1">
      <h2>${problems.heading}</h2>
      <ul>
        ${items}
      </ul>
    </div>`;
  }
  if (view.error === null || view.method !== 'key') return html``;
  const refused = refusedFieldOf(view) ?? view.exchange.credentialFields[0];
  const text = (refused === undefined ? null : problemOf(page, refused)) ?? problemText(context, view, view.error);
  return html`<div class="notice" id="summary" role="alert" tabindex="-1">
    <h2>${problems.heading}</h2>
    <p>${isRefusal(view) && refused !== undefined ? html`<a href="#${refused}">${text}</a>` : text}</p>
    <p>${problems.attemptsLeft(view.attemptsLeft)}</p>
    ${errorCode(context, view.error.type)}
  </div>`;
}

const isRefusal = ({ error }: ChosenView): boolean => error?.type === 'WALLET_INVALID_CREDENTIALS';

const fieldOfReason: Readonly<Record<string, CredentialField>> = {
  unknown_key: 'apiKey',
  invalid_signature: 'apiSecret',
  invalid_passphrase: 'apiPassphrase',
};

/** Returns the field that the exchange refused; null when the exchange does not report which field it is. */
function refusedFieldOf(view: ChosenView): CredentialField | null {
  const reason = isRefusal(view) ? view.error?.result?.['reason'] : undefined;
  const named = typeof reason === 'string' ? fieldOfReason[reason] : undefined;
  return view.exchange.credentialFields.find((field) => field === named) ?? null;
}

function makeStep({ context, view }: KeyPage): Html {
  const { key } = context.texts;
  const { name, keyUrl } = view.exchange;
  if (view.mode === 'test') {
    return html`<h2>${key.stepMakeTest}</h2>
      <p>${key.test(name)}</p>`;
  }
  return html`<h2>${key.stepMake(name)}</h2>
    <p>
      <a href="${keyUrl}" target="_blank" rel="noopener noreferrer">${key.open(name)}</a>
      <span class="faint">${key.newTab}</span>
    </p>`;
}

function permissionsStep({ context, view }: KeyPage): Html {
  const { key, access } = context.texts;
  const { permissions: guide, readsWithAll = false, defaults = [] } = view.exchange.keyGuide ?? {};
  if (guide === undefined) {
    return html`<h2>${key.stepTick}</h2>
      <p class="hint">${key.tickGeneric}</p>
      <ul class="plain">
        ${view.access.map((kind) => html`<li>${access.kinds[kind]}</li>`)}
      </ul>`;
  }
  const all = [...new Set(view.access.flatMap((kind) => guide[kind]))];
  const more = all.filter((name) => !guide.read.includes(name));
  const names = readsWithAll && more.length > 0 ? more : all;
  return html`<h2>${key.stepTick}</h2>
    <ul class="chips">
      ${names.map((name) => html`<li>${name}</li>`)}
    </ul>
    ${defaults.map((setting) => html`<p class="hint">${key.defaults[setting]}</p>`)}`;
}

function addressesStep({ context, view }: KeyPage): Html {
  const { key } = context.texts;
  const { egressIps, exchange } = view;
  if (egressIps.length === 0) {
    return html`<h2>${key.stepNoAddresses}</h2>
      <p class="hint">${key.noAddresses(exchange.name)}</p>`;
  }
  const rows = egressIps.map(
    (address) => html`<li><code>${address}</code>${copyButton(context, address, key.copy, key.copyOne(address))}</li>`,
  );
  return html`<h2>${key.stepAddresses}</h2>
    <p class="hint">${key.addresses(exchange.name)}</p>
    <ul class="addresses">
      ${rows}
    </ul>
    ${egressIps.length > 1 ? copyButton(context, egressIps.join(','), key.copyAll, key.copyAll) : ''}
    <p class="hint" id="live" aria-live="polite"></p>`;
}

/** Shows a button that copies `text`. It is hidden until the script runs, because only the script can copy. */
function copyButton({ texts: { key } }: PageContext, text: string, label: string, name: string): Html {
  const words = html`data-done="${key.copied}" data-failed="${key.notCopied}"`;
  return html`<button type="button" class="small" hidden data-copy="${text}" aria-label="${name}" ${words}>
    ${label}
  </button>`;
}

function formStep(page: KeyPage): Html {
  const { context, view } = page;
  const { key } = context.texts;
  const { exchange } = view;
  return html`<h2>${key.stepPaste}</h2>
    <form method="post" action="${context.home}/key" autocomplete="off">
      ${exchange.regions.length > 0 ? regionOf(page) : ''}
      ${exchange.credentialFields.map((field) => fieldOf(page, field))}
      <p class="hint">${key.neverShown}</p>
      <div class="actions">
        <button class="primary" data-busy="${key.checking(exchange.name)}">${key.submit}</button>
      </div>
    </form>`;
}

/** Asks at which of the exchange's regional sites the owner's account is. */
function regionOf(page: KeyPage): Html {
  const { typed } = page.form;
  const options = page.view.exchange.regions.map(
    ({ id, name }) => html`<option value="${id}" ${typed.apiRegion === id ? 'selected' : ''}>${name}</option>`,
  );
  return html`<label for="apiRegion">${labelOf(page, 'apiRegion')}</label>
    <select id="apiRegion" name="apiRegion" required>
      ${options}
    </select>`;
}

function fieldOf(page: KeyPage, field: CredentialField): Html {
  const { context, view, form } = page;
  const wrong = problemOf(page, field);
  const isPem = view.exchange.keyGuide?.pemField === field;
  const notes = [...(wrong !== null ? [`${field}-error`] : []), ...(isPem ? [`${field}-hint`] : [])].join(' ');
  const described = notes === '' ? html`` : html`aria-describedby="${notes}"`;
  // When the exchange refuses the key without naming the wrong field, all fields are marked as invalid.
  const isDoubtful = isRefusal(view) && refusedFieldOf(view) === null;
  const invalid = wrong !== null || isDoubtful ? html`aria-invalid="true"` : html``;
  const common = html`id="${field}" name="${field}" required autocomplete="off" autocapitalize="none" spellcheck="false"
  ${described} ${invalid}`;
  const hidden = field === 'apiSecret' || field === 'apiPassphrase';
  // A malformed value is not shown again, because it may be a secret in the wrong field.
  const value = form.malformed.includes(field) ? '' : (form.typed[field] ?? '');
  const control = isPem
    ? html`<textarea ${common} rows="5"></textarea>`
    : html`<input ${common} type="${hidden ? 'password' : 'text'}" value="${value}" />`;
  return html`<label for="${field}">${labelOf(page, field)}</label>
    ${isPem ? html`<p class="hint" id="${field}-hint">${context.texts.key.pemHint}</p>` : ''} ${control}
    ${wrong === null ? '' : html`<p class="field-error" id="${field}-error">${wrong}</p>`}`;
}

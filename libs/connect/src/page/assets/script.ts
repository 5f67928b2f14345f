/**
 * The script of the hosted page. Without the script, these functions are missing: copy buttons, the message to the
 * opener, local times, and updates without a reload.
 * The script reads its instructions from data attributes and contains nothing about the user.
 */
export const script = `
'use strict';
const page = document.querySelector('main');
const say = (text) => { const live = document.getElementById('live'); if (live) live.textContent = text; };

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    say('');
    try { await navigator.clipboard.writeText(button.dataset.copy); say(button.dataset.done); } catch { say(button.dataset.failed); }
  });
}

for (const line of document.querySelectorAll('[data-time]')) {
  const time = new Date(line.dataset.time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  line.textContent = line.dataset.sentence.replace('{time}', time);
}

// A form is sent once, however often its button is pressed. A page that the browser restores from its history may send
// again.
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = 'yes';
    const button = form.querySelector('button:not([type=button])');
    if (!button) return;
    button.setAttribute('aria-disabled', 'true');
    if (button.dataset.busy) { button.dataset.idle = button.textContent; button.textContent = button.dataset.busy; }
  });
}
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const form of document.querySelectorAll('form[data-sent]')) {
    delete form.dataset.sent;
    const button = form.querySelector('button:not([type=button])');
    button?.removeAttribute('aria-disabled');
    if (button?.dataset.idle) button.textContent = button.dataset.idle;
  }
});

const search = document.querySelector('[data-search]');
if (search) {
  search.hidden = false;
  const items = [...document.querySelectorAll('[data-name]')];
  search.querySelector('input').addEventListener('input', ({ target }) => {
    const wanted = target.value.trim().toLowerCase();
    for (const item of items) item.hidden = !item.dataset.name.includes(wanted);
    search.querySelector('[data-none]').hidden = items.some((item) => !item.hidden);
  });
}

const summary = document.getElementById('summary');
if (summary) summary.focus();

const { watch, state, browser, code, home, message, origin } = page.dataset;
if (watch) {
  // Poll often while the person waits. On other pages, poll only for changes in another tab or browser.
  const isAwaited = state === 'scanning' || state === 'connecting';
  const pause = isAwaited ? 2000 : 5000;
  const look = async () => {
    try {
      const answer = await fetch(watch, { headers: { accept: 'application/json' } });
      if (answer.ok) {
        const now = await answer.json();
        const status = document.getElementById('status');
        const text = status?.dataset[now.qrStatus];
        // In another browser, the page reloads only at the end of the session.
        const isOver = now.state === 'connected' || now.state === 'failed';
        const isNewCode = code !== undefined && now.qrCodeExpiresAt !== null && String(now.qrCodeExpiresAt) !== code;
        const isNews = browser === 'other' ? isOver : now.state !== state || now.browser !== browser || isNewCode;
        if (isNews) return location.replace(home);
        if (text && status.textContent !== text) status.textContent = text;
      } else if (answer.status !== 429 && answer.status < 500) return location.replace(home);
    } catch { /* Offline for a moment. */ }
    setTimeout(look, pause);
  };
  setTimeout(look, pause);
}

const closers = document.querySelectorAll('[data-close]');
for (const button of closers) {
  button.hidden = !window.opener;
  button.addEventListener('click', () => window.close());
}
if (message && origin && window.opener) {
  // If another page has replaced the opener, the browser does not deliver the message.
  window.opener.postMessage(JSON.parse(message), origin);
  window.close();
}
`;

/** The link component: a button, or a function, with which a person connects an exchange account. */
export { CausewayLink } from './causeway-link.js';
export {
  createLink,
  reportReturn,
  type Connected,
  type Exited,
  type Link,
  type LinkEvent,
  type LinkOptions,
  type LinkSource,
} from './link.js';

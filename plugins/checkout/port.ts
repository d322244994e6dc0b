/** A copy of a website in which its own development server shows a draft, and the proxy through which it is seen. */
export { type Checkout, type CheckoutOptions, openCheckout } from './checkout.ts'
export type { DraftFile } from './places.ts'
export { DevServerError } from './dev-server.ts'
export type { ListingGit } from './listing.ts'
export { findProject, type Project } from './project.ts'
export { createPreviewProxy, type PreviewOptions, type PreviewProxy } from './proxy/proxy.ts'

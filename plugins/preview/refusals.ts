import { defineRefusal } from '../../kernel/index.ts'

/** The page of a screenshot, without the secret. */
export interface ScreenshotPage {
  readonly url: string
  readonly mode: 'draft' | 'published'
}

/** Defines a refusal about a page, which the answer names. */
function ofPage<D extends unknown[]>(status: number, code: string, reason: (...details: D) => string) {
  return defineRefusal({
    status,
    code,
    reason: (_pageInfo: ScreenshotPage, ...details: D) => reason(...details),
    extra: ({ url, mode }: ScreenshotPage, ..._details: D) => ({ url, mode }),
  })
}

export const refusals = {
  slugIsUrl: defineRefusal({
    status: 400,
    code: 'slug_is_url',
    reason: () => "slug is an address. Send the path of a page, such as '/pricing'.",
  }),
  previewUrlMissing: defineRefusal({
    status: 400,
    code: 'preview_url_missing',
    reason: () => 'The address of this site is unknown. Register it with a previewUrl, or send one.',
  }),
  previewUrlNotAllowed: defineRefusal({
    status: 400,
    code: 'preview_url_not_allowed',
    reason: () =>
      'This previewUrl is not allowed. Use an address of the registered site, or add its origin to FETCH_ALLOWED_ORIGINS or ORCHESTRATOR_CORS_ORIGINS.',
  }),
  noDraftSecret: defineRefusal({
    status: 409,
    code: 'no_draft_secret',
    reason: () =>
      'This service has no draft secret of this site, so it lets no browser in to drafts. Set it: run npx content-orchestrator register in the website, or set DRAFT_MODE_SECRET here and there.',
  }),
  notFound: defineRefusal({ status: 404, code: 'not_found', reason: (why: string) => why }),
  tooMany: defineRefusal({
    status: 429,
    code: 'too_many_screenshots',
    reason: (seconds: number) => `Too many screenshots are in progress. Try again in ${seconds} s.`,
    headers: (seconds) => ({ 'retry-after': String(seconds) }),
  }),
  pageFailed: ofPage(502, 'page_failed', (status: number | undefined) =>
    status === undefined
      ? 'The page could not be opened. Check the address of the site, that it is running, and that it does not redirect elsewhere.'
      : `The site answered ${status} for this page. Check the slug, and for a draft that DRAFT_MODE_SECRET is the same here and on the site.`,
  ),
  pageNotIdle: ofPage(
    502,
    'page_not_idle',
    (seconds: number) =>
      `The page could not be opened or captured within ${seconds} s. Check that the site answers, and for scripts that never end.`,
  ),
  pageTooLarge: ofPage(
    502,
    'page_too_large',
    () => 'The page is too large for a screenshot. Reduce the size of its images and videos.',
  ),
  libraryMissing: ofPage(
    503,
    'library_missing',
    () => 'Screenshots need the package playwright-core. Run npm install playwright-core, and try again.',
  ),
  browserMissing: ofPage(
    503,
    'browser_missing',
    () =>
      'No browser was found for screenshots. Install Chromium, or set PREVIEW_BROWSER to the path of a browser and restart the service.',
  ),
  browserFailed: ofPage(503, 'browser_failed', (isRoot: boolean) =>
    isRoot
      ? 'The browser cannot use its sandbox as root. Run the service as another user, or set PREVIEW_SANDBOX=off in a dedicated container.'
      : 'The browser for screenshots does not start; the log has the reason. If it is the sandbox, allow user namespaces, or set PREVIEW_SANDBOX=off in a dedicated container.',
  ),
} as const

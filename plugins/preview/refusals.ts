import { defineRefusal } from '../../kernel/index.ts'

/** What a screenshot was to show, in refusals without the secret. */
export interface About {
  readonly url: string
  readonly mode: 'draft' | 'published'
}

const extra = ({ url, mode }: About) => ({ url, mode })

export const refusals = {
  slugIsUrl: defineRefusal({ status: 400, code: 'slug_is_url', reason: () => "slug is an address. Send the path of a page, such as '/pricing'." }),
  previewUrlMissing: defineRefusal({
    status: 400,
    code: 'preview_url_missing',
    reason: () => 'Nothing is known of where this site is. Register it with a previewUrl, or send one.',
  }),
  previewUrlNotAllowed: defineRefusal({
    status: 400,
    code: 'preview_url_not_allowed',
    reason: () => 'This previewUrl may not be opened. Use an address of the registered site, or add its origin to FETCH_ALLOWED_ORIGINS or ORCHESTRATOR_CORS_ORIGINS.',
  }),
  notFound: defineRefusal({ status: 404, code: 'not_found', reason: (why: string) => why }),
  tooMany: defineRefusal({
    status: 429,
    code: 'too_many_screenshots',
    reason: (seconds: number) => `Too many screenshots are waited for. Try again in ${seconds} s.`,
    headers: (seconds) => ({ 'retry-after': String(seconds) }),
  }),
  pageFailed: defineRefusal({
    status: 502,
    code: 'page_failed',
    reason: (_about: About, status: number | undefined) =>
      status === undefined
        ? 'The page could not be opened. Check the address of the site, whether it runs, and that it leads to nowhere else.'
        : `The site answered ${status} for this page. Check the slug, and for a draft that DRAFT_MODE_SECRET is the same here and on the site.`,
    extra,
  }),
  pageNotIdle: defineRefusal({
    status: 502,
    code: 'page_not_idle',
    reason: (_about: About, seconds: number) => `The page was not done with loading within ${seconds} s. Find out what it keeps asking for.`,
    extra,
  }),
  pageTooLarge: defineRefusal({
    status: 502,
    code: 'page_too_large',
    reason: (_about: About) => 'The page loads more than a screenshot may take. Make its images and films smaller.',
    extra,
  }),
  libraryMissing: defineRefusal({
    status: 503,
    code: 'library_missing',
    reason: (_about: About) => 'Screenshots need the package playwright-core. Run npm install playwright-core, and try again.',
    extra,
  }),
  browserMissing: defineRefusal({
    status: 503,
    code: 'browser_missing',
    reason: (_about: About) => 'There is no browser for screenshots. Install Chromium, or name the program of one in PREVIEW_BROWSER and restart the service.',
    extra,
  }),
  browserFailed: defineRefusal({
    status: 503,
    code: 'browser_failed',
    reason: (_about: About, isRoot: boolean) =>
      isRoot
        ? 'The browser for screenshots keeps its sandbox, which it does not get as root. Run the service as another user; in a container of its own PREVIEW_SANDBOX=off does without.'
        : 'The browser for screenshots does not start. Its log line says why; where its sandbox is the reason, allow user namespaces, or set PREVIEW_SANDBOX=off in a container of its own.',
    extra,
  }),
} as const

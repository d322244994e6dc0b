import { defineRefusal } from '../../kernel/index.ts'

export const pageNotChecked = defineRefusal({
  status: 413,
  code: 'too_many_pages',
  reason: (limit: number) => `The draft has more than ${limit} pages, too many to be checked together. Raise maxPages of checks.`,
})

export const draftNotChecked = defineRefusal({
  status: 413,
  code: 'draft_too_large',
  reason: (limit: number) => `The pages of this draft together are larger than ${limit} bytes, too much to be checked together. Raise maxDraftBytes of checks.`,
})

export const tooMuchFound = defineRefusal({
  status: 413,
  code: 'draft_too_large',
  reason: (limit: number) => `The draft has more than ${limit} links and findings, too many to be checked together. Turn rules off in CHECKS_CONFIG, or split the site.`,
})

export const tooManyChecks = defineRefusal({
  status: 429,
  code: 'too_many_checks',
  reason: () => 'Too many other checks are under way. Ask again in a minute.',
  headers: () => ({ 'retry-after': '60' }),
})

export const tooManyDismissals = defineRefusal({
  status: 409,
  code: 'too_many_dismissals',
  reason: (limit: number) => `The draft has ${limit} dismissed findings, as many as are kept. Take marks away with dismissed: false, or turn the rule off in CHECKS_CONFIG.`,
})

export const unknownRule = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: (rule: string) => `There is no rule '${rule.slice(0, 80)}'. GET /checks/rules lists them.`,
  extra: () => ({ details: [{ path: 'rules', message: 'names a rule that is not there' }] }),
})

export const pageNotFound = defineRefusal({
  status: 404,
  code: 'page_not_found',
  reason: (slug: string) => `The draft has no page '${slug.slice(0, 80)}'. GET /draft/slugs lists its pages.`,
})

export const findingNotFound = defineRefusal({
  status: 404,
  code: 'finding_not_found',
  reason: () => 'The draft has no such finding any more. GET /checks lists those that it has.',
})

export const noAutoFix = defineRefusal({
  status: 400,
  code: 'no_auto_fix',
  reason: () => 'None of these findings can be fixed this way. A suggestion takes allowSuggested, and some take a text in values.',
})

export const siteNotFound = defineRefusal({
  status: 404,
  code: 'site_not_found',
  reason: () => 'No previewUrl is registered for this site. Register it with POST /sites/register.',
})

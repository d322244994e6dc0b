import { defineRefusal } from '../../kernel/index.ts'

export const pageNotChecked = defineRefusal({
  status: 413,
  code: 'too_many_pages',
  reason: (limit: number) =>
    `The draft has more than ${limit} pages, too many for a check. Raise the option maxPages of checks.`,
})

export const draftNotChecked = defineRefusal({
  status: 413,
  code: 'draft_too_large',
  reason: (limit: number) =>
    `The pages of this draft exceed ${limit} bytes, too much for a check. Raise the option maxDraftBytes of checks.`,
})

export const tooMuchFound = defineRefusal({
  status: 413,
  code: 'draft_too_large',
  reason: (limit: number) =>
    `The draft has more than ${limit} links and findings, too many for a check. Turn rules off in CHECKS_CONFIG, or split the site.`,
})

export const tooManyChecks = defineRefusal({
  status: 429,
  code: 'too_many_checks',
  reason: () => 'Too many checks are in progress. Try again in a minute.',
  headers: () => ({ 'retry-after': '60' }),
})

export const unknownRule = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: (rule: string) =>
    `The rule '${rule.slice(0, 80)}' does not exist. GET /checks/rules lists the rules.`,
  extra: () => ({ details: [{ path: 'rules', message: 'contains an unknown rule' }] }),
})

export const pageNotFound = defineRefusal({
  status: 404,
  code: 'page_not_found',
  reason: (slug: string) => `The draft has no page '${slug.slice(0, 80)}'. GET /draft/slugs lists its pages.`,
})

export const findingNotFound = defineRefusal({
  status: 404,
  code: 'finding_not_found',
  reason: () => 'The draft no longer has this finding. GET /checks lists the current findings.',
})

export const noAutoFix = defineRefusal({
  status: 400,
  code: 'no_auto_fix',
  reason: () =>
    'None of these findings can be fixed this way. Suggestions need allowSuggested, and some need a text in values.',
})

export const siteNotFound = defineRefusal({
  status: 404,
  code: 'site_not_found',
  reason: () => 'No previewUrl is registered for this site. Register it with POST /sites/register.',
})

import { defineRefusal } from '../../../kernel/index.ts'

export const baselineUnavailable = defineRefusal({
  status: 409,
  code: 'baseline_unavailable',
  reason: (otherSite?: string) =>
    otherSite ??
    'What is published cannot be read now, so there is nothing to go back to. Name the site in siteOrigin, register its previewUrl, or publish once.',
})

export const notAnywhere = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: (slug: string) => `Page '${slug}' is neither in the draft nor published.`,
})

export const noSuchBlock = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: (slug: string, blockId: string) =>
    `Block '${blockId}' is neither on page '${slug}' of the draft nor published there.`,
})

export const blockWithoutPage = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () => 'slug is required with blockId, and blockId with field.',
})

export const nothingToDiscard = defineRefusal({
  status: 400,
  code: 'nothing_to_discard',
  reason: () => 'There is nothing to discard: the draft equals what is published.',
})

import { defineRefusal } from '../../kernel/index.ts'

export const noTarget = defineRefusal({
  status: 400,
  code: 'no_publish_target',
  reason: () =>
    'There is nowhere to publish to. Name the site in siteOrigin, register its previewUrl, ' +
    'or set PUBLISH_MODE.',
})

export const targetReadsDraft = defineRefusal({
  status: 400,
  code: 'target_reads_draft',
  reason: (target: string) =>
    `The publish target ${target} reads the draft later, so it can publish nothing but the present draft. ` +
    'Publish without `at`; for an earlier publish, call POST /restore/snapshot first.',
})

export const noCommit = defineRefusal({
  status: 400,
  code: 'no_commit',
  reason: (target: string) =>
    `The publish target ${target} makes no commits of the files of a website. Publish without \`asCommit\`.`,
})

/** A file of which the changes of a publish alone cannot be committed. */
export const notCommittable = defineRefusal({
  status: 409,
  code: 'not_committable',
  reason: (path: string, why: string) => `${path}: ${why}, then publish again, or publish without a commit.`,
})

export const unknownPublication = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: (publication: string) =>
    `The site has no content of a publish ${publication}: it failed, is of another site, or is too old. ` +
    'GET /publish/log lists the publishes.',
})

export const publishTooLarge = defineRefusal({
  status: 413,
  code: 'publish_too_large',
  reason: (limit: number) =>
    `The pages of this draft together are larger than ${limit} bytes, and one publish sends them all. ` +
    'Remove pages, shorten their content, or raise maxPublishBytes.',
})

export const diffTooLarge = defineRefusal({
  status: 413,
  code: 'diff_too_large',
  reason: (limit: number) =>
    `The comparison of this draft is larger than ${limit} bytes. Remove pages or blocks, or raise maxDiffBytes.`,
})

export const noPublish = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: () => 'This draft was not published recently.',
})

/** The outcomes of a publish that is refused before its target is called. */
export const publishRefused = [
  'refused',
  'check_refused',
  'draft_changed',
  'site_conflict',
  'site_unavailable',
  'site_shrunk',
  'branch_changed',
  'site_changed',
].map((code) => defineRefusal({ status: 409, code, reason: (why: string) => why }))

export const unknownSnapshot = defineRefusal({
  status: 400,
  code: 'unknown_snapshot',
  reason: (commit: string) =>
    `The snapshot ${commit} does not exist for this site. GET /restore/snapshots lists them.`,
})

export const ambiguousSnapshot = defineRefusal({
  status: 400,
  code: 'ambiguous_snapshot',
  reason: (commit: string) => `More than one snapshot begins with ${commit}. Send more of its digits.`,
})

export const pagesNotChanged = defineRefusal({
  status: 400,
  code: 'pages_not_changed',
  reason: (slugs: readonly string[]) =>
    `These pages have no changes to publish: ${slugs.slice(0, 5).join(', ')}. GET /publish/diff lists those that have.`,
})

export const pagesBelongTogether = defineRefusal({
  status: 400,
  code: 'pages_belong_together',
  reason: (slugs: readonly string[]) =>
    'Pages that take or free the address of another one are published with it. ' +
    `Name these in \`pages\` too: ${slugs.slice(0, 5).join(', ')}${slugs.length > 5 ? ` and ${slugs.length - 5} more` : ''}.`,
  extra: (slugs) => ({ pages: slugs }),
})

export const entriesNotFound = defineRefusal({
  status: 400,
  code: 'entries_not_found',
  reason: (slugs: readonly string[]) =>
    `The site has nothing that cannot be read at ${slugs.slice(0, 5).join(', ')}. Name slugs of \`unreadable\` in ` +
    'GET /publish/diff, or the name of an entry without a slug; a page of the draft is removed in the draft, and what ' +
    'has neither on the site itself.',
})

export const siteUnreadable = defineRefusal({
  status: 409,
  code: 'site_unavailable',
  reason: () =>
    'The published content cannot be read, so single pages cannot be published. Publish again once the site answers, or publish all pages.',
})

export const scheduledUnreadable = defineRefusal({
  status: 409,
  code: 'site_unavailable',
  reason: () =>
    'The published content cannot be read, so it is unknown what this publish conflicts with. Try again once the site answers.',
})

export const timeNotPossible = defineRefusal({
  status: 400,
  code: 'time_not_possible',
  reason: (now: string) =>
    `A publish can be scheduled for any time within a year after now, ${now}. Send a later or an earlier \`at\`, ` +
    'or none to publish now.',
})

export const tooManyScheduled = defineRefusal({
  status: 409,
  code: 'too_many_scheduled',
  reason: (limit: number) =>
    `${limit} publishes of this draft are scheduled already. Cancel one of GET /publish/scheduled first.`,
})

export const noSuchScheduled = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: (id: string) =>
    `This draft has no scheduled publish ${id}. It may be published already: GET /publish/log lists what was published.`,
})

export const alreadyPublishing = defineRefusal({
  status: 409,
  code: 'already_publishing',
  reason: () => 'It is being published now. GET /publish/status reports how it goes.',
})

import { defineRefusal } from '../../kernel/index.ts'

export const registrationTooLarge = defineRefusal({
  status: 413,
  code: 'registration_too_large',
  reason: (limit: number) =>
    `The registration of the site would be larger than ${limit} bytes. ` +
    'Shorten its purpose, tone, constraints or config, or raise maxRegistrationBytes.',
})

export const tooManySites = defineRefusal({
  status: 429,
  code: 'too_many_sites',
  reason: (limit: number) =>
    `There are ${limit} sites, and no more are kept. Remove one with DELETE /sites, or raise maxSites.`,
})

export const tooManySessions = defineRefusal({
  status: 429,
  code: 'too_many_sessions',
  reason: (limit: number) =>
    `The site has ${limit} sessions; no more are kept. Remove one with DELETE /sites, or raise maxSessions.`,
})

export const noWebsite = defineRefusal({
  status: 404,
  code: 'no_website',
  reason: () => 'The address of this site is unknown. Register it with a previewUrl.',
})

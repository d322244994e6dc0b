import { defineRefusal } from '../../kernel/index.ts'

export const previewUrlInvalid = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () => 'previewUrl must be an http or https address, such as http://localhost:3000',
})

export const portInvalid = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () => 'port must be a whole number from 1 to 65535',
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

import { defineRefusal } from '../../kernel/index.ts'

export const demoDisabled = defineRefusal({
  status: 403,
  code: 'demo_disabled',
  reason: () =>
    'This is disabled in the public demo. Run the service yourself, without DEMO_MODE, to use it.',
})

export const demoLimitReached = defineRefusal({
  status: 429,
  code: 'rate_limited',
  reason: (seconds: number) =>
    `You have reached the hourly limit of this demo. Try again in ${Math.ceil(seconds / 60)} min.`,
  extra: (retryAfterSeconds) => ({ retryAfterSeconds }),
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
})

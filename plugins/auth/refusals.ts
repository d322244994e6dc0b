import { defineRefusal } from '../../kernel/index.ts'

export const passwordRequired = defineRefusal({
  status: 400,
  code: 'invalid_request',
  reason: () => 'password is required',
})

export const passwordIncorrect = defineRefusal({
  status: 401,
  code: 'password_incorrect',
  reason: () => 'The password is not correct. Check it and try again.',
  extra: () => ({ ok: false }),
})

export const cliDisabled = defineRefusal({
  status: 403,
  code: 'cli_disabled',
  reason: () =>
    'Agents may not start a command-line program here. Set AGENT_CLI=1 where that is wanted, and start again.',
})

export const tooManyGuesses = defineRefusal({
  status: 429,
  code: 'rate_limited',
  reason: (seconds: number) => `Too many wrong passwords. Try again in ${seconds} s.`,
  extra: (retryAfterSeconds) => ({ ok: false, retryAfterSeconds }),
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
})

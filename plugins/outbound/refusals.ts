import { defineRefusal } from '../../kernel/index.ts'

export const fetchRefused = defineRefusal({
  status: 400,
  code: 'fetch_refused',
  reason: () =>
    'This address may not be fetched. Use a public http or https address without a login, ' +
    'or have its origin added to FETCH_ALLOWED_ORIGINS.',
})

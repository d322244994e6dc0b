import { defineRefusal } from '../../../../kernel/index.ts'

export const methodNotAllowed = defineRefusal({
  status: 405,
  code: 'method_not_allowed',
  reason: () => 'Files of the editor are read with GET or HEAD. GET /docs lists the paths that take other methods.',
  headers: () => ({ allow: 'GET, HEAD' }),
})

export const fileNotFound = defineRefusal({
  status: 404,
  code: 'not_found',
  reason: () => 'The editor has no file of this name, and the service has no such path. Reload the editor: it may have been built anew.',
})

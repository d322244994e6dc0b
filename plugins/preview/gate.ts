import { gate, queryValue, type Gate } from '../../kernel/index.ts'

/** The gate of links that open without a token. */
export const linkGate = gate('preview-link')

/** Admits every request that has a link; a link that does not count is answered by a page, which people can read. */
export const anyLink: Gate = {
  mounting: () => ({ mount: true }),
  admit({ search }) {
    if (queryValue(search, 'link')) return { admit: true, caller: { via: 'anyone' } }
    const reason = 'A preview is shown by its link only. Ask for one with POST /preview/links.'
    return { admit: false, status: 403, error: reason, reason, extra: { code: 'link_missing' } }
  },
}

import { gate, queryValue, type Gate } from '../../kernel/index.ts'

/** The gate of links that open without a token. */
export const linkGate = gate('preview-link')

/** Lets in whoever brings a link; what it is worth is said on a page, which people can read. */
export const anyLink: Gate = {
  mounting: () => ({ mount: true }),
  admit({ search }) {
    if (queryValue(search, 'link')) return { admit: true, caller: { via: 'anyone' } }
    const reason = 'A preview is shown by its link only. Ask for one with POST /preview/links.'
    return { admit: false, status: 403, error: reason, reason, extra: { code: 'link_missing' } }
  },
}

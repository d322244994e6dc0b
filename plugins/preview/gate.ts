import { gate, queryValue, type Gate } from '../../kernel/index.ts'

/** The gate of links that open without a token. */
export const linkGate = gate('preview-link')

/** Admits a request that has a link, which is judged on the page that answers it; any other as the access gate does. */
export function createLinkGate(access: Gate): Gate {
  return {
    mounting: () => access.mounting(),
    admit: (request) => (queryValue(request.search, 'link') ? { admit: true, caller: { via: 'anyone' } } : access.admit(request)),
  }
}

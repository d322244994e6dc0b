import { whyTooOld } from './package-info.ts'

// Imported before everything else, because an older Node fails with an obscure error.
const reason = whyTooOld()
if (reason !== undefined) throw new Error(reason)

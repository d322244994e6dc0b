import { whyTooOld } from './package-info.ts'

// Imported before everything else, because an older Node would fail with an obscure error.
const reason = whyTooOld()
if (reason !== undefined) throw new Error(reason)

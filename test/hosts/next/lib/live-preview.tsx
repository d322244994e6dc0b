'use client'

import { bridge } from 'content-orchestrator/site/bridge'
import type { LiveDraft } from 'content-orchestrator/site/live'
import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'

/**
 * Refreshes a draft page from the server when the draft changes, and lets the editor around its frame edit it. A refresh
 * changes `updatedAt`, which the running bridge knows already; only another page begins anew.
 */
export function LivePreview(live: LiveDraft) {
  const router = useRouter()
  const latest = useRef(live)
  useEffect(() => {
    latest.current = live
  })
  useEffect(() => {
    const opened = bridge({
      ...latest.current,
      navigate: (href) => router.push(href),
      render: () => router.refresh(),
    })
    return () => opened.close()
  }, [router, live.slug])
  return null
}

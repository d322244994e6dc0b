'use client'

import { livePreview, type LiveDraft } from 'content-orchestrator/site/live'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

/** Refreshes a draft page from the server when the draft changes. */
export function LivePreview({ orchestrator, siteId, session, slug, updatedAt }: LiveDraft) {
  const router = useRouter()
  useEffect(() => {
    const preview = livePreview({ orchestrator, siteId, session, slug, updatedAt, render: () => router.refresh() })
    return () => preview.close()
  }, [router, orchestrator, siteId, session, slug, updatedAt])
  return null
}

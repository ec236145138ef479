"""What the client uses of llama-index-core, for tests without it. It behaves as the sources of version 0.14 do, and so do
the other files of this folder."""

"""What the client uses of langchain-core, for tests without it. It behaves as langchain-core 1.6.5 does, and so do the
other files of this folder."""

import { useEffect } from 'react';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Dialog, DialogClose } from '../../parts/dialog.tsx';
import { Time } from '../../parts/value.tsx';

interface ShownLinkProps {
  /** What the link is, as the title of the dialog. */
  readonly title: string;
  /** The same, for people who hear the page. */
  readonly label: string;
  readonly link: { readonly link: string; readonly expires_at: string };
  readonly onClose: () => void;
}

/** The link, which is shown once: the server keeps a digest of it. */
export function ShownLink({ title, label, link, onClose }: ShownLinkProps) {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  return (
    <Dialog
      title={title}
      description="Send this link to the person. It is shown only now; you can make another one at any time."
      isOpen
      onClose={onClose}
      footer={
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <CodeBlock code={link.link} label={label} />
      <p className="soft">
        It works once, and ends <Time at={link.expires_at} />.
      </p>
    </Dialog>
  );
}

"""Does the shim see all? The same command is run under strace, and the kernel's calls are compared with the shim's."""
import re
import shutil
import subprocess

CALLS = ("open,openat,openat2,creat,write,writev,pwrite64,pwritev,pwritev2,sendfile,copy_file_range,fsync,fdatasync,syncfs,"
         "truncate,ftruncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,symlink,"
         "symlinkat")
# The shim's names and the kernel's, as one.
FAMILIES = {"open": "open", "openat": "open", "creat": "open", "fopen": "open", "fopen64": "open", "write": "write", "writev": "write",
            "pwrite": "write", "pwrite64": "write", "rename": "rename", "renameat": "rename", "renameat2": "rename",
            "remove": "unlink", "unlink": "unlink", "unlinkat": "unlink", "rmdir": "unlink", "mkdir": "mkdir",
            "mkdirat": "mkdir", "mkdtemp": "mkdir", "link": "link", "linkat": "link", "symlink": "symlink",
            "symlinkat": "symlink"}


def changes_files(name, rest):
    if "EISDIR" in rest:  # remove() tries unlink first, and then rmdir
        return False
    if name in ("open", "openat", "creat"):
        return bool(re.search(r"O_CREAT|O_TRUNC|O_WRONLY|O_RDWR", rest)) and not re.search(r'"/(dev/(?!shm/)|proc/|sys/)', rest)
    if "write" in name or name in ("fsync", "fdatasync"):
        descriptor = re.match(r"(\d+)<(/[^>]*)>", rest)  # strace -y; pipes and sockets have no path
        return bool(descriptor) and int(descriptor[1]) > 2 and not re.match(r"/dev/(?!shm/)", descriptor[2])
    return True


def kernel_calls(laboratory, command, folder):
    log = laboratory.work / "strace"
    subprocess.run(["strace", "-f", "-y", "-s", "0", "-o", log, "-e", f"trace={CALLS}", laboratory.program, *command], cwd=folder,
                   check=True, stdout=subprocess.DEVNULL, timeout=120)
    found = []
    for line in log.read_text().splitlines():
        if (call := re.match(r"\d+ +(\w+)\((.*)", line)) and changes_files(call[1], call[2]):
            found.append(FAMILIES.get(call[1], call[1]))
    return found


def compare_with_strace(laboratory, skipped):
    if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        print("skipped: strace is missing or not allowed here; apt-get install strace")
        return skipped
    wrong = 0
    for name, one in laboratory.prepared.items():
        kernel = kernel_calls(laboratory, one.case.command, shutil.copytree(one.folder, laboratory.work / name / "strace"))
        shim = [FAMILIES.get(call.split()[0], call.split()[0]) for call in one.calls]
        print(f"{name}: the kernel saw {len(kernel)} changes of files, the shim {len(shim)}"
              f"{'' if kernel == shim else ': they DIFFER'}")
        wrong += kernel != shim
    return 1 if wrong else 0
